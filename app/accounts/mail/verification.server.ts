/** Sends account links without revealing whether the account exists. */
import { auth } from '../auth.server';
import { runInBackground } from '../background.server';
import { countAttempt, type Attempt, type Limited } from '../limits/limits.server';

/** Sends the link that confirms an address, if an account with it is unconfirmed. */
export function sendVerification(attempt: Attempt): Promise<Limited | null> {
  return inBackground(attempt, () =>
    auth().api.sendVerificationEmail({ body: { email: attempt.email } }),
  );
}

/** Sends the link for a new password, if the account exists. */
export function sendReset(attempt: Attempt): Promise<Limited | null> {
  return inBackground(attempt, () =>
    auth().api.requestPasswordReset({ body: { email: attempt.email } }),
  );
}

/**
 * Does not await the work, so that the response time reveals nothing.
 *
 * @returns null unless the mail limit is exceeded.
 */
export async function inBackground(
  attempt: Attempt,
  work: () => Promise<unknown>,
): Promise<Limited | null> {
  const limited = await countAttempt('mail', attempt);
  if (limited) return limited;
  runInBackground(work);
  return null;
}
