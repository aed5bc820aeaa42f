/**
 * A mail server for tests to read: `vi.mock('@gatehouse/accounts/mailer', () =>
 * import('@gatehouse/accounts/testing/mail-double'))`. What is sent has been through the store.
 */
import { finishBackgroundWork } from '../background.ts';
import type { Mail } from '../mail/mailer.ts';

export const sentMails: Mail[] = [];

/** With those of work that continues after its response. */
export async function allMails(): Promise<Mail[]> {
  const ignore = () => undefined;
  await finishBackgroundWork({ log: { warn: ignore, error: ignore } });
  return sentMails;
}

export const deliveryTime = 1_000;

export function deliver(_site: unknown, _id: string, mail: Mail): Promise<null> {
  sentMails.push(mail);
  return Promise.resolve(null);
}
