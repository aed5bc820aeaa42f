/** The site account in the header: who is signed in, and sign-in or sign-out. */
import { Link, useLocation } from '@remix-run/react';
import { returnPathOf } from '~/frame/return-path';
import { buttonLook } from '~/ui/button';
import { VisitorMenu, SignedOutIdentity } from '~/shell/visitor';
import type { AccountState } from './account-state';
import { SignOutForm } from './sign-out-form';

export interface AccountMenuProps {
  account: AccountState;
  /** This account's name, on a site with two kinds of accounts. */
  label?: string | undefined;
}

export function AccountMenu({ account, label }: AccountMenuProps) {
  const here = returnPathOf(useLocation());
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
    case 'signed-out':
      return (
        <SignedOutIdentity label={label}>
          <Link
            className={buttonLook({ tone: 'secondary', size: 'small' })}
            to={signInAddress(here)}
          >
            Sign in
          </Link>
        </SignedOutIdentity>
      );
    case 'unavailable':
      return (
        <SignedOutIdentity label={label}>
          {label ? 'Unavailable' : 'Account is unavailable'}
        </SignedOutIdentity>
      );
  }
}

/** Returns to the current page after sign-in, unless that page is itself part of signing in. */
function signInAddress(here: string): string {
  const isOfAccounts = /^\/(sign-(in|up|out)|reset-password|verify-email)(?![^/?])/.test(here);
  return isOfAccounts ? '/sign-in' : `/sign-in?${new URLSearchParams({ return: here }).toString()}`;
}
