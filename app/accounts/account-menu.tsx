/** The site account in the header: who is signed in, and sign-in or sign-out. */
import { VisitorMenu, SignedOutIdentity } from '~/shell/visitor';
import type { AccountState } from '@gatehouse/accounts';
import { Skeleton } from '~/ui/skeleton';
import { SignInLink } from './sign-in-link';
import { SignOutForm } from './sign-out-form';

export interface AccountMenuProps {
  account: AccountState;
  /** This account's name, on a site with two kinds of accounts. */
  label?: string | undefined;
}

export function AccountMenu({ account, label }: AccountMenuProps) {
  if (account.status === 'signed-in') {
    const signOut = <SignOutForm size="small" className="m-2" />;
    return <VisitorMenu label={label} name={account.name} to="/settings" signOut={signOut} />;
  }
  const unavailable = label ? 'Unavailable' : 'Account is unavailable';
  const signIn = <SignInLink tone="secondary" size="small" />;
  const menu = (
    <SignedOutIdentity label={label}>
      {account.status === 'unavailable' ? unavailable : signIn}
    </SignedOutIdentity>
  );
  if (account.status !== 'checking') return menu;
  return (
    <>
      <Skeleton className="h-9 w-32 rounded-full max-md:grow noscript:hidden" />
      <noscript>{menu}</noscript>
    </>
  );
}
