/** What the header shows of the site account: who is signed in, and the way in and out. */
import { Link, useLocation } from '@remix-run/react';
import { returnPathOf } from '~/frame/return-path';
import { Button } from '~/ui/button';
import { VisitorMenu, WayIn } from '~/shell/visitor';
import type { AccountState } from './account-state';
import { SignOutForm } from './sign-out-form';

export interface AccountMenuProps {
  account: AccountState;
  /** Which account it is, beside another one. */
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
        <WayIn label={label}>
          <Button asChild tone="secondary" size="small">
            <Link to={signInAddress(here)}>Sign in</Link>
          </Button>
        </WayIn>
      );
    case 'unavailable':
      return <WayIn label={label}>Not reachable at the moment</WayIn>;
  }
}

/** Back to where one was, unless that is a page for signing in itself. */
function signInAddress(here: string): string {
  const isOfAccounts = /^\/(sign-(in|up|out)|reset-password|verify-email)(?![^/?])/.test(here);
  return isOfAccounts ? '/sign-in' : `/sign-in?${new URLSearchParams({ return: here }).toString()}`;
}
