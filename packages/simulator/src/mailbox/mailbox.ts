/** An SMTP server that keeps the site's mail and delivers nothing. */
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import PostalMime from 'postal-mime';
import { SMTPServer } from 'smtp-server';

export interface ReceivedMail {
  id: number;
  to: string[];
  from: string;
  subject: string;
  text: string;
  /** The URLs in the text, in order. */
  links: string[];
  /** Milliseconds since 1970. */
  at: number;
}

export interface Mailbox {
  /** For the site's `SMTP_URL`. */
  readonly smtpUrl: string;
  /** Received mail, newest first; to one address, or to all. */
  messages(to?: string): ReceivedMail[];
  /** Resolves with the newest mail to an address, as soon as there is one. */
  next(to: string, after?: number): Promise<ReceivedMail>;
  clear(): void;
  close(): Promise<void>;
}

/** Beyond this many the oldest mails are dropped. */
const mostMails = 1_000;

/** @param onMail called with each mail that arrives. */
export async function openMailbox(onMail: (mail: ReceivedMail) => void): Promise<Mailbox> {
  const mails: ReceivedMail[] = [];
  const waiting = new Set<() => void>();
  let count = 0;

  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    size: 1024 * 1024,
    logger: false,
    onData(stream, session, done) {
      void keep(
        stream,
        session.envelope.rcptTo.map(({ address }) => address),
      ).then(
        () => {
          done();
        },
        (error: unknown) => {
          done(error instanceof Error ? error : new Error(String(error)));
        },
      );
    },
  });

  async function keep(stream: AsyncIterable<Buffer>, to: string[]): Promise<void> {
    const parsed = await PostalMime.parse(await buffer(stream));
    const text = parsed.text ?? '';
    const mail: ReceivedMail = {
      id: ++count,
      to,
      from: parsed.from?.address ?? '',
      subject: parsed.subject ?? '',
      text,
      links: text.match(/https?:\/\/[^\s<>"]+/g) ?? [],
      at: Date.now(),
    };
    mails.unshift(mail);
    mails.length = Math.min(mails.length, mostMails);
    onMail(mail);
    for (const look of waiting) look();
  }

  const listening = server.listen(0, '127.0.0.1');
  await once(listening, 'listening');
  const { port } = listening.address() as AddressInfo;
  const messages = (to?: string) =>
    mails.filter((mail) => to === undefined || mail.to.includes(to.toLowerCase()));

  return {
    smtpUrl: `smtp://127.0.0.1:${port}`,
    messages,
    next: (to, after = 0) =>
      new Promise((resolve) => {
        const look = () => {
          const found = messages(to).find(({ id }) => id > after);
          if (!found) return;
          waiting.delete(look);
          resolve(found);
        };
        waiting.add(look);
        look();
      }),
    clear() {
      mails.length = 0;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => {
          resolve();
        });
      }),
  };
}
