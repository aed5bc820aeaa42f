/** What site accounts add to every page. */
import type { ReactNode } from 'react';
import type { AccountState } from '@gatehouse/accounts';
import { SessionProvider, useReload } from '@gatehouse/frame/react';
import type { Feature } from '~/shell/features';
import { AccountMenu } from './account-menu';
import { accountName } from './which-account';

export default {
  order: 2,
  identity: {
    name: accountName,
    Menu: ({ loaded = unavailable, label }) => <AccountMenu account={loaded} label={label} />,
  },
  Provider: ({ loaded = unavailable, children }) => (
    <AccountSession account={loaded}>{children}</AccountSession>
  ),
} satisfies Feature<AccountState>;

const unavailable = { status: 'unavailable' } as const;

/** Loaders, not the browser, determine whether someone is still signed in to a site account. */
function AccountSession({ account, children }: { account: AccountState; children: ReactNode }) {
  const person = account.status === 'signed-in' ? account.email : null;
  return (
    <SessionProvider person={person} check={useReload()}>
      {children}
    </SessionProvider>
  );
}
