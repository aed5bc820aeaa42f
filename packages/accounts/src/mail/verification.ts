/** Sends account links without revealing whether the account exists. */
import { setTimeout as pause } from 'node:timers/promises';
import { auth } from '../auth.ts';
import { runInBackground } from '../background.ts';
import { countAttempt, type Attempt, type Limited } from '../limits/limits.ts';
import { isTemporary } from '../temporary.ts';

/** Milliseconds before each retry. Spread out, because the work of a burst fails together. */
const retryAfter = [1_000, 2_000, 4_000, 8_000];

/** Sends the link that confirms an address, if an account with it is unconfirmed. */
export function sendVerification(attempt: Attempt): Promise<Limited | null> {
  return inBackground('mail', attempt, () =>
    auth().api.sendVerificationEmail({ body: { email: attempt.email } }),
  );
}

/** Sends the link for a new password, if the account exists. */
export function sendReset(attempt: Attempt): Promise<Limited | null> {
  return inBackground('reset', attempt, () =>
    auth().api.requestPasswordReset({ body: { email: attempt.email } }),
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
  action: 'mail' | 'reset',
  attempt: Attempt,
  work: () => Promise<unknown>,
): Promise<Limited | null> {
  const limited = await countAttempt(action, attempt);
  if (limited) return limited;
  runInBackground(() => retried(work));
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
