/** Sends account links without revealing whether the account exists. */
import { setTimeout as pause } from 'node:timers/promises';
import { auth } from '../auth.ts';
import { runInBackground } from '../background.ts';
import { countAttempt, type Attempt, type LimitReached } from '../limits.ts';
import type { AccountsSite } from '../site.ts';
import { isTemporary } from '../temporary.ts';

/** Milliseconds before each retry. Spread out, because the work of a burst fails together. */
const retryAfter = [1_000, 2_000, 4_000, 8_000];

/** Sends the link that confirms an address, if an account with it is unconfirmed. */
export function sendVerification(
  site: AccountsSite,
  attempt: Attempt,
): Promise<LimitReached | null> {
  return inBackground(site, 'mail', attempt, () =>
    auth(site).api.sendVerificationEmail({ body: { email: attempt.email } }),
  );
}

/** Sends the link for a new password, if the account exists. */
export function sendReset(site: AccountsSite, attempt: Attempt): Promise<LimitReached | null> {
  return inBackground(site, 'reset', attempt, () =>
    auth(site).api.requestPasswordReset({ body: { email: attempt.email } }),
  );
}

/**
 * Does not await the work, so that the response time reveals nothing. The visitor is told that it is
 * done, so a temporary failure is retried.
 *
 * @param action whose limit applies.
 * @returns null unless that limit is exceeded.
 */
export async function inBackground(
  site: AccountsSite,
  action: 'mail' | 'reset',
  attempt: Attempt,
  work: () => Promise<unknown>,
): Promise<LimitReached | null> {
  const limited = await countAttempt(site, action, attempt);
  if (limited) return limited;
  runInBackground(site, () => retried(work));
  return null;
}

async function retried(work: () => Promise<unknown>): Promise<unknown> {
  for (const wait of retryAfter) {
    try {
      return await work();
    } catch (error) {
      if (!isTemporary(error)) throw error;
      await pause(wait * (0.5 + Math.random()), undefined, { ref: false });
    }
  }
  return work();
}
