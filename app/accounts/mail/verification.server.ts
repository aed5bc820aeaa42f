/** Sends what an account waits for, without telling anybody whether there is such an account. */
import { log } from 'site-server/log';
import { auth } from '../auth.server';
import { countAttempt, type Attempt, type Limited } from '../limits/limits.server';

/** The link that confirms the address of an account, where there is one that waits for it. */
export function sendVerification(attempt: Attempt): Promise<Limited | null> {
  return inBackground(attempt, () =>
    auth().api.sendVerificationEmail({ body: { email: attempt.email } }),
  );
}

/** The link that sets a new password, where there is such an account. */
export function sendReset(attempt: Attempt): Promise<Limited | null> {
  return inBackground(attempt, () =>
    auth().api.requestPasswordReset({ body: { email: attempt.email } }),
  );
}

/**
 * Nobody waits for the work, so the time of the answer does not tell what there was to do.
 * @returns null when the mail may be sent, and too many have not been.
 */
export async function inBackground(
  attempt: Attempt,
  work: () => Promise<unknown>,
): Promise<Limited | null> {
  const limited = await countAttempt('mail', attempt);
  if (limited) return limited;
  work().catch((error: unknown) => {
    log.error({ err: error }, 'a mail of an account was not made');
  });
  return null;
}
