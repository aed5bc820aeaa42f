/** The mail server. Tests replace this module by a double. */
import { setTimeout as pause } from 'node:timers/promises';
import { createTransport, type Transporter } from 'nodemailer';
import type { AccountsSite } from '../site.ts';

export interface Mail {
  /** One address. */
  to: string;
  /** Whom an answer goes to, if not the sender. */
  replyTo?: string;
  subject: string;
  text: string;
  html?: string;
}

/** What may be logged: an error's message may contain the recipient's address or the server's name. */
export interface MailFailure {
  code?: unknown;
  responseCode?: number;
  /** The server will not take this mail, however often it is sent. */
  isFinal?: boolean;
}

/** Milliseconds without a word of the mail server. */
const silence = 15_000;

/** Milliseconds for a mail as a whole. */
export const deliveryTime = 90_000;

const opened: { url?: string; transport?: Transporter } = {};

/**
 * @param id makes it recognisable if it is sent again.
 * @returns null once the mail server has taken it.
 */
export async function deliver(
  { settings }: Pick<AccountsSite, 'settings'>,
  id: string,
  { to, replyTo, ...words }: Mail,
): Promise<MailFailure | null> {
  const { smtpUrl, mailFrom, siteOrigin } = settings();
  if (smtpUrl === null) return { code: 'SMTP_URL is off' };
  const ended = new AbortController();
  const late = pause(deliveryTime, { code: 'ETIMEDOUT' }, { ref: false, signal: ended.signal });
  const sent = transportTo(smtpUrl)
    .sendMail({
      from: mailFrom,
      // As an object: a text would be read as a list of addresses.
      to: { name: '', address: to },
      ...(replyTo !== undefined && { replyTo: { name: '', address: replyTo } }),
      messageId: `<${id}@${new URL(siteOrigin).hostname}>`,
      ...words,
    })
    .then(() => null, failureOf)
    .finally(() => {
      ended.abort();
    });
  return Promise.race([sent, late.catch(() => sent)]);
}

/** Only the recipient or the words are refused for good: a wrong password or sender is the operator's to correct. */
function failureOf(error: unknown): MailFailure {
  const { code, command, responseCode } = error as Record<string, unknown>;
  if (typeof responseCode !== 'number') return { code };
  const isOfMail = command === 'RCPT TO' || command === 'DATA';
  return { code, responseCode, isFinal: responseCode >= 500 && isOfMail };
}

function transportTo(url: string): Transporter {
  if (opened.transport && opened.url === url) return opened.transport;
  opened.url = url;
  opened.transport = createTransport({
    url,
    connectionTimeout: silence,
    greetingTimeout: silence,
    socketTimeout: silence,
  });
  return opened.transport;
}
