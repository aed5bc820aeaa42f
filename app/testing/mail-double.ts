/**
 * A mail double for tests to read: `vi.mock('~/accounts/mail/mailer.server', () =>
 * import('~/testing/mail-double'))`.
 */
import type { Mail } from '~/accounts/mail/mailer.server';

export const sentMails: Mail[] = [];

export function sendMail(mail: Mail): void {
  sentMails.push(mail);
}
