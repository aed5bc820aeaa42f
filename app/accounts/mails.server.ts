/** The words of the mails to accounts. Plain text, so that recipients can see where a link leads. */
import type { AccountMail, MailLink, MailWords } from '@gatehouse/accounts';
import { site } from '~/site.config';

type Words = (link: MailLink) => { subject: string; lines: string[] };

const mails = {
  verification: (link) => ({
    subject: `Confirm your e-mail address for ${site.name}`,
    lines: [
      `To confirm that this address is yours, open this page and choose “Confirm”:`,
      link('/verify-email'),
      'The link is valid for one day. If you did not request it, ignore this e-mail.',
    ],
  }),
  'already-signed-up': (link) => ({
    subject: `You already have an account at ${site.name}`,
    lines: [
      `Someone, perhaps you, tried to sign up at ${site.name} with this address, which already has an account.`,
      `Sign in here: ${link('/sign-in')}`,
      `If you forgot your password, choose a new one: ${link('/reset-password')}`,
      'If this was not you, ignore this e-mail: nothing has changed.',
    ],
  }),
  reset: (link) => ({
    subject: `Choose a new password for ${site.name}`,
    lines: [
      'To choose a new password, open this page:',
      link('/reset-password'),
      'The link is valid for one hour and can be used once. If you did not request it, ignore this e-mail.',
    ],
  }),
  'password-changed': (link) => ({
    subject: `Your password for ${site.name} has been changed`,
    lines: [
      'Your password has been changed, and every other session of your account has ended.',
      `If this was not you, choose a new one now: ${link('/reset-password')}`,
    ],
  }),
  'email-change-requested': (link) => ({
    subject: `A new e-mail address for your account at ${site.name}`,
    lines: [
      'Someone who is signed in to your account asked to change its e-mail address. We have sent a confirmation link to the new address; nothing changes until it is opened.',
      `If this was not you, choose a new password now: ${link('/reset-password')}`,
    ],
  }),
  'email-changed': () => ({
    subject: `The e-mail address of your account at ${site.name} has been changed`,
    lines: [
      'Your account now has another e-mail address. This one can no longer be used to sign in or to choose a new password.',
      'If this was not you, contact the site’s operator.',
    ],
  }),
  'account-deleted': () => ({
    subject: `Your account at ${site.name} has been deleted`,
    lines: ['Your account and all of its data have been deleted.'],
  }),
} satisfies Record<AccountMail, Words>;

export function mailOf(mail: AccountMail, link: MailLink): MailWords {
  const words: Words = mails[mail];
  const { subject, lines } = words(link);
  return { subject, text: [...lines, `— ${site.name}`].join('\n\n') };
}
