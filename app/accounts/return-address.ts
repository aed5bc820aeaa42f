/** The way back from the account pages, which a visitor may pass through in any order. */
import { safeReturnPath } from '@gatehouse/frame';

/** Where a sign-in leads, unless the visitor came from another page. */
export const membersPage = '/';

/** Where a sign-in leads: to where the visitor came from, or to the first page for members. */
export function afterSignIn(given: unknown): string {
  return safeReturnPath(given, membersPage);
}

type AccountPath = '/sign-in' | '/sign-up' | '/reset-password';

/** The address of an account page that keeps the way back, with other parameters before it. */
export function withReturn(
  page: AccountPath,
  returnPath: string,
  query: Record<string, string> = {},
): string {
  const isUsual = returnPath === membersPage;
  const all = new URLSearchParams({ ...query, ...(!isUsual && { return: returnPath }) }).toString();
  return all === '' ? page : `${page}?${all}`;
}
