/**
 * A visitor without a browser: requests through the edge exactly as written, in any spelling. Node's
 * own client is used because `fetch` tidies paths and refuses the headers that an attacker forges.
 */
import { Agent, request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import type { Platform } from '../platform';
import type { CookieJar } from './cookie-jar';

export interface Ask {
  method?: string;
  headers?: Record<string, string | string[]>;
  body?: string | Buffer;
  /** Sent in these pieces, without a length ahead. */
  chunks?: string[];
  /** One half of the body goes at once, and the other when this is settled. */
  restWhen?: Promise<unknown>;
  /** Hangs up: the answer is rejected. */
  signal?: AbortSignal;
  /** Milliseconds after which a stream of events, which need not end, is hung up on: its answer is what has come. */
  eventsFor?: number;
}

export interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  rawHeaders: string[];
  bytes: Buffer;
  text: string;
  json(): unknown;
}

export interface HttpVisitor {
  get(path: string, headers?: Ask['headers']): Promise<Answer>;
  /** With the headers that this site's own page sends, unless others are given. */
  post(path: string, ask: Ask): Promise<Answer>;
  send(path: string, ask?: Ask): Promise<Answer>;
}

/** Each request has a connection of its own: a kept one may be closed as the next request sets out. */
const fewConnections = new Agent({ keepAlive: false, maxSockets: 16 });

/**
 * @param personaId signed in at the platform as this person; null for nobody.
 * @param jar keeps what the site sets. Without one its cookies are dropped.
 */
export function httpVisitor(
  platform: Pick<Platform<unknown>, 'siteOrigin' | 'sessions'>,
  personaId: string | null,
  agent = fewConnections,
  jar?: CookieJar,
): HttpVisitor {
  const { host, port } = new URL(platform.siteOrigin);
  const session = personaId === null ? null : platform.sessions.createCookie(personaId);
  const cookieHeader = () => {
    const cookies = [session, jar?.header() ?? null].filter((one) => one !== null);
    return cookies.length > 0 ? { cookie: cookies.join('; ') } : {};
  };

  const send = (
    path: string,
    { method = 'GET', headers = {}, body, chunks, restWhen, signal, eventsFor }: Ask = {},
  ) =>
    new Promise<Answer>((resolve, reject) => {
      const call = httpRequest(
        {
          agent,
          ...(signal && { signal }),
          host: '127.0.0.1',
          port,
          method,
          path,
          headers: {
            host,
            ...cookieHeader(),
            ...(body !== undefined && { 'content-length': String(Buffer.byteLength(body)) }),
            ...headers,
          },
        },
        (response) => {
          jar?.take(response.headers['set-cookie'] ?? []);
          const parts: Buffer[] = [];
          response.on('data', (part: Buffer) => parts.push(part));
          response.once('error', reject);
          const end = () => {
            clearTimeout(timer);
            const bytes = Buffer.concat(parts);
            const text = bytes.toString('utf8');
            resolve({
              status: response.statusCode ?? 0,
              headers: response.headers,
              rawHeaders: response.rawHeaders,
              bytes,
              text,
              json: () => JSON.parse(text) as unknown,
            });
          };
          response.once('end', end);
          const isEvents = response.headers['content-type']?.startsWith('text/event-stream');
          const timer =
            isEvents && eventsFor !== undefined
              ? setTimeout(() => {
                  end();
                  response.destroy();
                }, eventsFor)
              : undefined;
        },
      );
      call.once('error', reject);
      for (const chunk of chunks ?? []) call.write(chunk);
      if (!restWhen || !body) call.end(body);
      else {
        const bytes = Buffer.from(body);
        const half = Math.floor(bytes.length / 2);
        call.write(bytes.subarray(0, half));
        void restWhen.then(() => call.end(bytes.subarray(half)));
      }
    });

  return {
    send,
    get: (path, headers) => send(path, headers && { headers }),
    post: (path, ask) =>
      send(path, {
        method: 'POST',
        ...ask,
        headers: {
          origin: platform.siteOrigin,
          'sec-fetch-site': 'same-origin',
          ...ask.headers,
        },
      }),
  };
}

/** The body and headers of a form that a page of the site sends. */
export function formAsk(fields: Record<string, string>): Ask {
  return {
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams(fields).toString(),
  };
}

/** The body and headers of JSON that a page of the site sends. */
export function jsonAsk(value: unknown): Ask {
  return { headers: { 'content-type': 'application/json' }, body: JSON.stringify(value) };
}
