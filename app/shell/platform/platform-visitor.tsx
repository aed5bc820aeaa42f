/** What the header shows of the platform's account: who is signed in there, and the way in and out. */
import { Skeleton } from '~/ui/skeleton';
import { VisitorMenu, WayIn } from '../visitor';
import { SignInButton, SignOutButton } from './auth-buttons';
import { useUser } from './user-state';

/** @param props.label which account it is, beside another one. */
export function PlatformVisitor({ label }: { label?: string | undefined }) {
  const { view } = useUser();
  switch (view.status) {
    case 'changing':
      return <Skeleton className="h-9 w-32 rounded-full max-md:grow" />;
    case 'checking':
      return (
        <>
          <Skeleton className="h-9 w-32 rounded-full max-md:grow noscript:hidden" />
          {/* Without a script nothing will confirm the server's word, so the way out must be here. */}
          <noscript>
            <WayIn label={label}>
              <SignOutButton tone="secondary" size="small" />
            </WayIn>
          </noscript>
        </>
      );
    case 'signed-in':
      return (
        <VisitorMenu
          label={label}
          name={view.profile.displayName ?? 'Your account'}
          to="/account"
          signOut={<SignOutButton tone="secondary" size="small" className="m-2" />}
        />
      );
    case 'signed-out':
      return (
        <WayIn label={label}>
          <SignInButton tone="secondary" size="small" />
        </WayIn>
      );
    case 'unavailable':
      return <WayIn label={label}>Sign-in is not reachable</WayIn>;
  }
}
