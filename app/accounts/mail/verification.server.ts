/** Sends account links without revealing whether the account exists. */
import { auth } from '../auth.server';
import { runInBackground } from '../background.server';
import { countAttempt, type Attempt, type Limited } from '../limits/limits.server';

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
 * Does not await the work, so that the response time reveals nothing.
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
  runInBackground(work);
  return null;
}
