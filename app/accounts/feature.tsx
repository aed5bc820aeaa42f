/** What site accounts add to every page. */
import { Fragment, type ReactNode } from 'react';
import type { AccountState } from '@gatehouse/accounts';
import { SessionProvider, useReload } from '@gatehouse/frame/react';
import {
  useOtherIdentities,
  useOwner,
  type Feature,
  type GuardedPageProps,
} from '~/shell/features';
import { SignedOutCard } from '~/shell/signed-out-card';
import { AccountMenu } from './account-menu';
import { SignInLink } from './sign-in-link';
import { accountName, WhichAccount } from './which-account';

export default {
  order: 2,
  identity: {
    name: accountName,
    Menu: ({ loaded = unavailable, label }) => <AccountMenu account={loaded} label={label} />,
  },
  Provider: ({ loaded = unavailable, children }) => (
    <AccountSession account={loaded}>{children}</AccountSession>
  ),
  Page: AccountPage,
} satisfies Feature<AccountState>;

const unavailable = { status: 'unavailable' } as const;

/** Loaders find out who is signed in to a site account. A page that was made for everybody runs them again once it is open. */
function AccountSession({ account, children }: { account: AccountState; children: ReactNode }) {
  const person = account.status === 'signed-in' ? account.id : null;
  const isUnknown = account.status === 'checking';
  const session = { person, isUnknown, check: useReload() };
  return <SessionProvider {...session}>{children}</SessionProvider>;
}

/** A page for site accounts. Nothing of its visitor stays once they are signed out or another one is signed in. */
function AccountPage({ loaded = unavailable, handle, children }: GuardedPageProps<AccountState>) {
  const owner = useOwner(loaded.status === 'signed-in' ? loaded.id : null);
  const isOnly = useOtherIdentities(accountName).length === 0;
  const { access = isOnly ? 'account' : 'platform', signedOut } = handle;
  const isGuarded = access === 'account' || access === 'both';
  if (!isGuarded || signedOut === 'page') return children;
  if (loaded.status !== 'signed-out') return <Fragment key={owner}>{children}</Fragment>;
  return (
    <SignedOutCard
      which={<WhichAccount />}
      title={signedOut?.title}
      heading="h1"
      text="After signing in, you return to this page."
    >
      <SignInLink />
    </SignedOutCard>
  );
}
