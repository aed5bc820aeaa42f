/** The platform identity in the header: who is signed in, and sign-in or sign-out. */
import { Skeleton } from '~/ui/skeleton';
import { VisitorMenu, SignedOutIdentity } from '../visitor';
import { SignInButton, SignOutButton } from './auth-buttons';
import { useUser } from '@gatehouse/platform/react';

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
          {/* Without JavaScript nothing confirms the sign-in state, so sign-out must be available
              here. */}
          <noscript>
            <SignedOutIdentity label={label}>
              <SignOutButton tone="secondary" size="small" />
            </SignedOutIdentity>
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
        <SignedOutIdentity label={label}>
          <SignInButton tone="secondary" size="small" />
        </SignedOutIdentity>
      );
    case 'unavailable':
      return <SignedOutIdentity label={label}>Sign-in is unavailable</SignedOutIdentity>;
  }
}
