/** The way back from the account pages, which a visitor may pass through in any order. */
import { safeReturnPath } from '@gatehouse/frame';
import { site } from '~/site.config';

/** Where a sign-in leads: to where the visitor came from, or to the first page for members. */
export function afterSignIn(given: unknown): string {
  return safeReturnPath(given, site.membersPage);
}

type AccountPath = '/sign-in' | '/sign-up' | '/reset-password';

/** The address of an account page that keeps the way back, with other parameters before it. */
export function withReturn(
  page: AccountPath,
  returnPath: string,
  query: Record<string, string> = {},
): string {
  const isUsual = returnPath === site.membersPage;
  const all = new URLSearchParams({ ...query, ...(!isUsual && { return: returnPath }) }).toString();
  return all === '' ? page : `${page}?${all}`;
}
