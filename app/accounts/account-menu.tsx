/** The site account in the header: who is signed in, and sign-in or sign-out. */
import { Link, useLocation } from '@remix-run/react';
import { returnPathOf } from '@gatehouse/frame';
import { buttonLook } from '~/ui/button';
import { Skeleton } from '~/ui/skeleton';
import { VisitorMenu, SignedOutIdentity } from '~/shell/visitor';
import type { AccountState } from '@gatehouse/accounts';
import { membersPage, withReturn } from './return-address';
import { SignOutForm } from './sign-out-form';

export interface AccountMenuProps {
  account: AccountState;
  /** This account's name, on a site with two kinds of accounts. */
  label?: string | undefined;
}

export function AccountMenu({ account, label }: AccountMenuProps) {
  const location = useLocation();
  switch (account.status) {
    case 'signed-in':
      return (
        <VisitorMenu
          label={label}
          name={account.name}
          to="/settings"
          signOut={<SignOutForm size="small" className="m-2" />}
        />
      );
    case 'checking':
    case 'signed-out': {
      const signIn = (
        <SignedOutIdentity label={label}>
          <Link
            className={buttonLook({ tone: 'secondary', size: 'small' })}
            to={withReturn('/sign-in', wayBackFrom(location))}
          >
            Sign in
          </Link>
        </SignedOutIdentity>
      );
      if (account.status === 'signed-out') return signIn;
      return (
        <>
          <Skeleton className="h-9 w-32 rounded-full max-md:grow noscript:hidden" />
          <noscript>{signIn}</noscript>
        </>
      );
    }
    case 'unavailable':
      return (
        <SignedOutIdentity label={label}>
          {label ? 'Unavailable' : 'Account is unavailable'}
        </SignedOutIdentity>
      );
  }
}

/**
 * The current page. From a page of signing in, that page's own way back, which the next one checks
 * again; from the home page, the members' page.
 */
function wayBackFrom(location: { pathname: string; search: string }): string {
  const { pathname, search } = location;
  if (pathname === '/') return membersPage;
  return /^\/(sign-(in|up|out)|reset-password|verify-email)(\/|$)/.test(pathname)
    ? (new URLSearchParams(search).get('return') ?? membersPage)
    : returnPathOf(location);
}
