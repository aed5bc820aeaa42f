/** The platform identity in the header: who is signed in, and sign-in or sign-out. */
import { Skeleton } from '~/ui/skeleton';
import { SignInButton, SignOutButton } from './auth-buttons';
import { useUser } from './user-state';

export function PlatformVisitor() {
  const { view } = useUser();
  switch (view.status) {
    case 'changing':
      return <Skeleton className="h-5 w-24" />;
    case 'checking':
      return (
        <>
          <Skeleton className="h-5 w-24 noscript:hidden" />
          {/* Without JavaScript nothing confirms the sign-in state, so sign-out must be available
              here. */}
          <noscript>
            <SignOutButton tone="secondary" size="small" />
          </noscript>
        </>
      );
    case 'signed-in':
      return (
        <>
          <Name>{view.profile.displayName ?? 'Your account'}</Name>
          <SignOutButton tone="secondary" size="small" />
        </>
      );
    case 'signed-out':
      return <SignInButton tone="secondary" size="small" />;
    case 'unavailable':
      return <span className="text-muted text-sm">Sign-in is unavailable</span>;
  }
}

/**
 * Narrow screens show only the initial: the first letter, digit or symbol, skipping punctuation.
 */
function Name({ children: name }: { children: string }) {
  return (
    <>
      <span
        aria-hidden
        className="bg-accent text-on-accent grid size-8 place-items-center rounded-full text-sm font-semibold"
      >
        {/[\p{L}\p{N}\p{So}]/u.exec(name)?.[0].toUpperCase()}
      </span>
      <span className="max-w-32 truncate text-sm font-medium max-sm:sr-only lg:max-w-40">
        {name}
      </span>
    </>
  );
}
