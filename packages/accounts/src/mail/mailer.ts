/** Sends mail over SMTP in the background, with a few retries. A final failure is logged. */
import { setTimeout as pause } from 'node:timers/promises';
import { createTransport, type Transporter } from 'nodemailer';
import { runInBackground } from '../background.ts';
import type { AccountsSite } from '../site.ts';

export interface Mail {
  to: string;
  subject: string;
  text: string;
}

/** Milliseconds before each retry. */
const retryAfter = [1_000, 10_000, 60_000];

/** Timeout of the mail server, in milliseconds. */
const silence = 15_000;

const opened: { url?: string; transport?: Transporter } = {};

/** Returns immediately. Nothing is sent if mail is off. */
export function sendMail(site: AccountsSite, mail: Mail): void {
  const { smtpUrl } = site.settings();
  if (smtpUrl !== null) runInBackground(site, () => deliver(site, transportTo(smtpUrl), mail));
}

async function deliver(site: AccountsSite, transport: Transporter, mail: Mail): Promise<void> {
  for (const wait of [...retryAfter, null]) {
    try {
      await transport.sendMail({ from: site.settings().mailFrom, ...mail });
      return;
    } catch (error) {
      // The message may contain the recipient's address or the server's name; the code is enough.
      const code = error instanceof Error && 'code' in error ? error.code : undefined;
      const refused =
        error instanceof Error && 'responseCode' in error ? Number(error.responseCode) : 0;
      if (wait === null || refused >= 500) {
        site.log.error(
          { code, responseCode: refused || undefined, subject: mail.subject },
          'mail not sent',
        );
        return;
      }
      await pause(wait, undefined, { ref: false });
    }
  }
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
