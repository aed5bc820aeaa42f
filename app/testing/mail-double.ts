/**
 * A mail double for tests to read: `vi.mock('~/accounts/mail/mailer.server', () =>
 * import('~/testing/mail-double'))`.
 */
import { finishBackgroundWork } from '~/accounts/background.server';
import type { Mail } from '~/accounts/mail/mailer.server';

export const sentMails: Mail[] = [];

/** With those of work that continues after its response. */
export async function allMails(): Promise<Mail[]> {
  await finishBackgroundWork();
  return sentMails;
}

export function sendMail(mail: Mail): void {
  sentMails.push(mail);
}
