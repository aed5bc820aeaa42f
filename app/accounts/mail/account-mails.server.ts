/** The mails to accounts: what each says. Plain text, since a link that can be read can be judged. */
import { siteEnv } from '~/env.server';
import { site } from '~/site.config';
import { sendMail } from './mailer.server';

interface Recipient {
  email: string;
  name: string;
}

type Words = (
  recipient: Recipient,
  link: (path: string) => string,
) => { subject: string; lines: string[] };

const mails = {
  verification: (_, link) => ({
    subject: `Confirm your e-mail address for ${site.name}`,
    lines: [
      `To confirm that this address is yours, open this page and press “Confirm”:`,
      link('/verify-email'),
      'The link is good for one day. If you have not asked for it, do nothing.',
    ],
  }),
  'already-signed-up': (_, link) => ({
    subject: `You already have an account at ${site.name}`,
    lines: [
      `Somebody, perhaps you, has tried to sign up at ${site.name} with this address. You have an account already.`,
      `Sign in here: ${link('/sign-in')}`,
      `If you have forgotten your password, choose a new one: ${link('/reset-password')}`,
      'If it was not you, do nothing: nothing has changed.',
    ],
  }),
  reset: (_, link) => ({
    subject: `Choose a new password for ${site.name}`,
    lines: [
      'To choose a new password, open this page:',
      link('/reset-password'),
      'The link is good for one hour, and once. If you have not asked for it, do nothing.',
    ],
  }),
  'password-changed': (_, link) => ({
    subject: `Your password for ${site.name} has been changed`,
    lines: [
      'Your password has been changed, and every other session of your account has ended.',
      `If it was not you, choose a new one now: ${link('/reset-password')}`,
    ],
  }),
  'email-change-asked': (_, link) => ({
    subject: `A new e-mail address for your account at ${site.name}`,
    lines: [
      'Somebody who is signed in to your account has asked to change its e-mail address. The new address has been sent a link that confirms it; until it is opened, nothing changes.',
      `If it was not you, choose a new password now: ${link('/reset-password')}`,
    ],
  }),
  'account-deleted': () => ({
    subject: `Your account at ${site.name} has been deleted`,
    lines: ['Your account and all that belonged to it have been deleted.'],
  }),
} satisfies Record<string, Words>;

export type AccountMail = keyof typeof mails;

/**
 * Sends one of the mails in the background, so that nobody learns from the time an answer takes whether there was
 * somebody to send it to.
 *
 * @param token what the mail's link carries.
 */
export function queueAccountMail(mail: AccountMail, recipient: Recipient, token?: string): void {
  const words: Words = mails[mail];
  const { subject, lines } = words(recipient, (path) => {
    const url = new URL(path, siteEnv().siteOrigin);
    if (token !== undefined) url.searchParams.set('token', token);
    return url.href;
  });
  sendMail({ to: recipient.email, subject, text: [...lines, `— ${site.name}`].join('\n\n') });
}
