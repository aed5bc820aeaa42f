/** The mails to accounts, in the site's words. */
import type { AccountMail, AccountsSite } from '../site.ts';
import { sendMail } from './mailer.ts';

/**
 * Sends a mail in the background, so that the response time does not reveal whether the account
 * exists.
 *
 * @param token the token for the mail's link.
 */
export function queueAccountMail(
  site: AccountsSite,
  mail: AccountMail,
  { email }: { email: string },
  token?: string,
): void {
  const words = site.mailOf(mail, (path) => {
    const url = new URL(path, site.settings().siteOrigin);
    if (token !== undefined) url.searchParams.set('token', token);
    return url.href;
  });
  sendMail(site, { to: email, ...words });
}
