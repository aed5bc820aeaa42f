/** Mails of the site's products. */
import { z } from 'zod';
import type { AccountsSite } from '../site.ts';
import { mailBody, type MailParagraph } from './mail-body.ts';
import { keepMail, type Statements } from './outbox.ts';

export interface NewMail {
  /** One address. */
  to: string;
  /** Whom an answer goes to, if not `MAIL_FROM`. */
  replyTo?: string;
  subject: string;
  /** Words, and links by themselves. The mail has them as text and as HTML. */
  paragraphs: readonly MailParagraph[];
}

const oneAddress = z.email({ error: 'A mail goes to one e-mail address.' });

export async function sendMail(
  site: AccountsSite,
  { paragraphs, ...mail }: NewMail,
  db?: Statements,
): Promise<boolean> {
  for (const address of [mail.to, mail.replyTo ?? mail.to]) oneAddress.parse(address);
  return keepMail(site, { ...mail, ...mailBody(paragraphs) }, db);
}
