/** A mail server on loopback that answers as a test says, and keeps what it took. */
import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { createInterface } from 'node:readline';

export interface SmtpDouble {
  url: string;
  /** Mails that it took, whole. */
  taken: string[];
  /** The commands that it got, such as `RCPT TO`, or `end` of a mail. */
  seen: string[];
  /** What it answers to a command instead of taking it; null to say nothing at all. */
  answers: Map<string, string | null>;
  /** Resolves once it has got a command that often. */
  got: (command: string, times?: number) => Promise<void>;
  close: () => Promise<void>;
}

export async function startSmtpDouble(): Promise<SmtpDouble> {
  const sockets = new Set<Socket>();
  const waiting = new Set<() => void>();
  const double: Pick<SmtpDouble, 'taken' | 'seen' | 'answers'> = {
    taken: [],
    seen: [],
    answers: new Map(),
  };

  const server = createServer((socket) => {
    sockets.add(socket.on('error', () => undefined));
    let mail: string[] | undefined;
    const answer = (command: string, usual: string) => {
      const given = double.answers.get(command);
      double.seen.push(command);
      if (given !== null) socket.write(`${given ?? usual}\r\n`);
      if (command === 'end' && given === undefined) double.taken.push((mail ?? []).join('\n'));
      for (const look of waiting) look();
    };
    answer('connection', '220 double');
    createInterface({ input: socket }).on('line', (line) => {
      if (mail && line !== '.') {
        mail.push(line);
      } else if (mail) {
        answer('end', '250 taken');
        mail = undefined;
      } else {
        const [command = ''] = /^(MAIL FROM|RCPT TO|\w+)/.exec(line) ?? [];
        if (command === 'DATA' && !double.answers.has(command)) mail = [];
        answer(command, command === 'DATA' ? '354 go on' : '250 fine');
      }
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');

  return {
    ...double,
    url: `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`,
    got: (command, times = 1) =>
      new Promise((resolve) => {
        const look = () => {
          if (double.seen.filter((seen) => seen === command).length < times) return;
          waiting.delete(look);
          resolve();
        };
        waiting.add(look);
        look();
      }),
    close: () =>
      new Promise((resolve) => {
        server.close(() => {
          resolve();
        });
        for (const socket of sockets) socket.destroy();
      }),
  };
}
