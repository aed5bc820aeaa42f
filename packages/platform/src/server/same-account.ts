/** What a page of one account sends is not done for another, who has signed in since. */
import { isFromPageOf, type SentByPage } from '@gatehouse/frame/server';
import type { SafeProfile } from '../profile.ts';
import { PlatformSdkError } from './sdk/sdk-error.ts';

/**
 * @param sent the form, whose hidden field `account` has the key of the account whose page it is (`useAuthor`); or the
 *   request, if its address has `?account=`.
 * @throws {PlatformSdkError} 409 `account_changed`, also if the key is missing or empty.
 */
export function requireSameAccount({ key }: SafeProfile, sent: SentByPage): void {
  if (!isFromPageOf(key, sent)) throw new PlatformSdkError(409, 'account_changed');
}
