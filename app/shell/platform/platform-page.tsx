/** A page for visitors signed in to the platform, and what is shown in its place without them. */
import { Fragment } from 'react';
import type { PlatformPart } from '@gatehouse/platform';
import { useUser } from '@gatehouse/platform/react';
import { Skeleton } from '~/ui/skeleton';
import { useOwner, type GuardedPageProps } from '../features';
import { SignedOutPanel } from './signed-out-panel';

/** W15, W16, W18: nothing of the page's visitor stays once they are signed out or another one is signed in. */
export function PlatformPage({ loaded, handle, children }: GuardedPageProps<PlatformPart>) {
  const { view } = useUser();
  const user = loaded?.user;
  const owner = useOwner(user?.status === 'signed-in' ? user.profile.key : null);
  const { access = 'platform', signedOut } = handle;
  const isGuarded = access === 'platform' || access === 'both';
  if (!isGuarded || signedOut === 'page') return children;
  if (view.status === 'signed-out') return <SignedOutPanel {...signedOut} heading="h1" />;
  const isAnothers =
    view.status === 'unavailable' && view.profile !== undefined && view.profile.key !== owner;
  // Another account is signed in, and the page's data is still the previous one's.
  if (view.status === 'changing' || isAnothers) return <Skeleton className="h-64" />;
  return <Fragment key={owner}>{children}</Fragment>;
}
