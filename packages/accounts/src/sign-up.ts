/**
 * Creates accounts. Whether an address already has one is revealed only to its owner, by mail: a site that sends mail
 * responds identically, and equally fast, in both cases.
 */
import { isAPIError } from 'better-auth/api';
import { auth, authHeaders, authsByKey } from './auth.ts';
import { countAttempt, type Attempt, type LimitReached } from './limits.ts';
import { queueAccountMail } from './mail/account-mails.ts';
import { findLinkOwner, revokeLinks, type LinkOwner } from './mail/confirmation-links.ts';
import { withMails } from './mail/outbox.ts';
import { inBackground, mailLimit } from './mail/verification.ts';
import type { AccountsSite } from './site.ts';

export interface NewAccount {
  name: string;
  email: string;
  password: string;
}

export type SignUpResult =
  /** `isMailed`: the address must be confirmed, by the link in a mail. */
  | { ok: true; isMailed: boolean }
  /** The same address was signed up at the same moment. */
  | { ok: false; reason: 'failed' }
  | LimitReached;

/** @param address the visitor's IP address, if known. */
export async function signUp(
  site: AccountsSite,
  person: NewAccount,
  address: string | undefined,
): Promise<SignUpResult> {
  const attempt: Attempt = { email: person.email, address };
  const work = () => auth(site).api.signUpEmail({ body: person });
  if (site.settings().smtpUrl !== null) {
    return (await inBackground(site, mailLimit, attempt, work)) ?? { ok: true, isMailed: true };
  }
  const limited = await countAttempt(site, mailLimit, attempt);
  if (limited) return limited;
  // Without mail, the visitor signs in next: the account must be there.
  try {
    await work();
    return { ok: true, isMailed: false };
  } catch (error) {
    if (!isAPIError(error)) throw error;
    return { ok: false, reason: 'failed' };
  }
}

/** Confirms the address that a link was sent to. @returns whether the link was valid. */
export async function confirmAddress(
  site: AccountsSite,
  token: string,
  request: Request,
): Promise<boolean> {
  const owner = await findLinkOwner(site, token);
  if (!owner) return false;
  const headers = authHeaders(site, request);
  for (const keyed of authsByKey(site)) {
    try {
      const confirmed = await keyed.api.verifyEmail({ query: { token }, headers });
      // Set only if the address was changed.
      if (confirmed && 'user' in confirmed && confirmed.user) await afterAddressChange(site, owner);
      return true;
    } catch (error) {
      // Another account has taken this address in the meantime.
      if (isAPIError(error) || isTaken(error)) continue;
      throw error;
    }
  }
  return false;
}

/** Revokes the links sent to the old address, and notifies it. */
async function afterAddressChange(site: AccountsSite, old: LinkOwner): Promise<void> {
  await withMails(site, async (db) => {
    await revokeLinks(db, old.id);
    await queueAccountMail(site, 'email-changed', old, { db });
  });
}

/** Whether an error is a violation of a unique constraint. */
function isTaken(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return code === '23505' || code.startsWith('SQLITE_CONSTRAINT');
}
