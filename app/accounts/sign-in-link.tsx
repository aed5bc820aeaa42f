/** The link to sign-in, which returns to the current page. */
import { Link, useLocation } from '@remix-run/react';
import type { VariantProps } from 'class-variance-authority';
import { returnPathOf } from '@gatehouse/frame';
import { buttonLook } from '~/ui/button';
import { membersPage, withReturn } from './return-address';

export function SignInLink(look: VariantProps<typeof buttonLook>) {
  const wayBack = wayBackFrom(useLocation());
  return (
    <Link className={buttonLook(look)} to={withReturn('/sign-in', wayBack)}>
      Sign in
    </Link>
  );
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
