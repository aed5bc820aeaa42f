/** The site account in the header: who is signed in, and sign-in or sign-out. */
import { Link, useLocation } from '@remix-run/react';
import { returnPathOf } from '~/frame/return-path';
import { Button } from '~/ui/button';
import type { AccountState } from './account-state';
import { SignOutForm } from './sign-out-form';

export interface AccountMenuProps {
  account: AccountState;
  /** This account's name, on a site with two kinds of accounts. */
  label?: string;
}

export function AccountMenu({ account, label = 'Account' }: AccountMenuProps) {
  const here = returnPathOf(useLocation());
  switch (account.status) {
    case 'signed-in':
      return (
        <>
          <Link
            to="/settings"
            aria-label={`${account.name}, ${label}`}
            className="max-w-32 truncate text-sm font-medium underline-offset-4 hover:underline lg:max-w-40"
          >
            {account.name}
          </Link>
          <SignOutForm />
        </>
      );
    case 'signed-out':
      return (
        <Button asChild tone="secondary" size="small">
          <Link to={signInAddress(here)}>Sign in</Link>
        </Button>
      );
    case 'unavailable':
      return <span className="text-muted text-sm">{label} is unavailable</span>;
  }
}

/** Returns to the current page after sign-in, unless that page is itself part of signing in. */
function signInAddress(here: string): string {
  const isOfAccounts = /^\/(sign-(in|up|out)|reset-password|verify-email)(?![^/?])/.test(here);
  return isOfAccounts ? '/sign-in' : `/sign-in?${new URLSearchParams({ return: here }).toString()}`;
}
