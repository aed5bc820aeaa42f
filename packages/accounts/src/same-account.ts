/** What a page of one account sends is not done for another, who has signed in since. */
import { isFromPageOf, type SentByPage } from '@gatehouse/frame/server';
import type { Account } from './guard.ts';

/**
 * @param sent the form, whose hidden field `account` has the id of the account whose page it is; or the request, if its
 *   address has `?account=`.
 * @throws {Response} 409, also if the id is missing or empty.
 */
export function requireSameAccount({ id }: Pick<Account, 'id'>, sent: SentByPage): void {
  if (!isFromPageOf(id, sent)) throw new Response(null, { status: 409 });
}
