/**
 * A mail double for tests to read: `vi.mock('@gatehouse/accounts/mailer', () =>
 * import('@gatehouse/accounts/testing/mail-double'))`.
 */
import { finishBackgroundWork } from '../background.ts';
import type { Mail } from '../mail/mailer.ts';
import type { AccountsSite } from '../site.ts';

export const sentMails: Mail[] = [];

/** With those of work that continues after its response. */
export async function allMails(): Promise<Mail[]> {
  const ignore = () => undefined;
  await finishBackgroundWork({ log: { warn: ignore, error: ignore } });
  return sentMails;
}

export function sendMail(_site: AccountsSite, mail: Mail): void {
  sentMails.push(mail);
}
