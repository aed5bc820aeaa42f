/** Sends account links without revealing whether the account exists. */
import { auth } from '../auth.ts';
import { retried, runInBackground } from '../background.ts';
import { countAttempt, type Attempt, type Limit, type LimitReached } from '../limits.ts';
import type { AccountsSite } from '../site.ts';

/** Of forms that send mail to any address they are given. */
export const mailLimit: Limit = {
  name: 'mail',
  account: { times: 5, minutes: 60 },
  address: { times: 60, minutes: 60 },
};

/** Counted apart: whoever signs up with a stranger's address must not block its password reset. */
const resetLimit: Limit = { ...mailLimit, name: 'reset' };

/** Sends the link that confirms an address, if an account with it is unconfirmed. */
export function sendVerification(
  site: AccountsSite,
  attempt: Attempt,
): Promise<LimitReached | null> {
  return inBackground(site, mailLimit, attempt, () =>
    auth(site).api.sendVerificationEmail({ body: { email: attempt.email } }),
  );
}

/** Sends the link for a new password, if the account exists. */
export function sendReset(site: AccountsSite, attempt: Attempt): Promise<LimitReached | null> {
  return inBackground(site, resetLimit, attempt, () =>
    auth(site).api.requestPasswordReset({ body: { email: attempt.email } }),
  );
}

/**
 * Does not await the work, so that the response time reveals nothing. The visitor is told that it is
 * done, so a temporary failure is retried.
 *
 * @returns null unless the limit is exceeded.
 */
export async function inBackground(
  site: AccountsSite,
  limit: Limit,
  attempt: Attempt,
  work: () => Promise<unknown>,
): Promise<LimitReached | null> {
  const limited = await countAttempt(site, limit, attempt);
  if (limited) return limited;
  runInBackground(site, () => retried(work));
  return null;
}
