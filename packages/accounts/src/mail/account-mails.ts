/** The mails to accounts, in the site's words. */
import type { AccountMail, AccountsSite } from '../site.ts';
import { keepMail, type Statements } from './outbox.ts';

/**
 * Keeps a mail to an account, which is sent in the background, so that the response time does not reveal whether the
 * account exists.
 *
 * @param given the token for the mail's link, and the transaction of what the mail is about.
 */
export async function queueAccountMail(
  site: AccountsSite,
  mail: AccountMail,
  { email }: { email: string },
  { token, db }: { token?: string; db?: Statements } = {},
): Promise<void> {
  const words = site.mailOf(mail, (path) => {
    const url = new URL(path, site.settings().siteOrigin);
    if (token !== undefined) url.searchParams.set('token', token);
    return url.href;
  });
  await keepMail(site, { to: email, ...words }, db);
}
