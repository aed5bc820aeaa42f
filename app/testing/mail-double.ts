/**
 * A mail double for tests to read: `vi.mock('@gatehouse/accounts/mail/mailer', () =>
 * import('~/testing/mail-double'))`.
 */
import { finishBackgroundWork } from '@gatehouse/accounts/background';
import type { Mail } from '@gatehouse/accounts/mail/mailer';

export const sentMails: Mail[] = [];

/** With those of work that continues after its response. */
export async function allMails(): Promise<Mail[]> {
  await finishBackgroundWork();
  return sentMails;
}

export function sendMail(mail: Mail): void {
  sentMails.push(mail);
}
