/**
 * A visitor without a browser: sends requests through the edge exactly as written. It uses Node's own client
 * because `fetch` normalizes paths and refuses the headers that an attacker would forge.
 */
import { Agent, request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import type { Platform } from '../platform.ts';
import type { CookieJar } from './cookie-jar.ts';

export interface RequestOptions {
  method?: string;
  headers?: Record<string, string | string[]>;
  body?: string | Buffer;
  /** The body in these chunks, without a `content-length`. */
  chunks?: string[];
  /** Called once half of the body is sent. The rest is sent when the promise settles. */
  restWhen?: () => Promise<unknown>;
  /** Aborts the request: the promise of its response rejects. */
  signal?: AbortSignal;
  /**
   * Milliseconds after which a stream of events, which need not end, is closed: the response is what has
   * arrived by then.
   */
  eventsFor?: number;
}

export interface ReceivedResponse {
  status: number;
  headers: IncomingHttpHeaders;
  rawHeaders: string[];
  bytes: Buffer;
  text: string;
  json(): unknown;
}

export interface HttpVisitor {
  get(path: string, headers?: RequestOptions['headers']): Promise<ReceivedResponse>;
  /** With the headers that the site's own page would send, unless others are given. */
  post(path: string, options: RequestOptions): Promise<ReceivedResponse>;
  send(path: string, options?: RequestOptions): Promise<ReceivedResponse>;
}

/** One connection per request: the server may close a kept-alive one just as the next request is sent. */
const fewConnections = new Agent({ keepAlive: false, maxSockets: 16 });

/**
 * @param personaId the persona who is signed in at the platform; null for none.
 * @param jar stores the cookies that the site sets. Without one they are dropped.
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
    const cookies = [session, jar?.header() ?? null].filter((cookie) => cookie !== null);
    return cookies.length > 0 ? { cookie: cookies.join('; ') } : {};
  };

  const send = (
    path: string,
    {
      method = 'GET',
      headers = {},
      body,
      chunks,
      restWhen,
      signal,
      eventsFor,
    }: RequestOptions = {},
  ) =>
    new Promise<ReceivedResponse>((resolve, reject) => {
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
        const half = Math.ceil(bytes.length / 2);
        call.write(bytes.subarray(0, half), () => {
          void restWhen().then(() => call.end(bytes.subarray(half)));
        });
      }
    });

  return {
    send,
    get: (path, headers) => send(path, headers && { headers }),
    post: (path, options) =>
      send(path, {
        method: 'POST',
        ...options,
        headers: {
          origin: platform.siteOrigin,
          'sec-fetch-site': 'same-origin',
          ...options.headers,
        },
      }),
  };
}

/** Body and headers of a form, as a page of the site would send it. */
export function formRequest(fields: Record<string, string>): RequestOptions {
  return {
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams(fields).toString(),
  };
}

/** Body and headers of JSON, as a page of the site would send it. */
export function jsonRequest(value: unknown): RequestOptions {
  return { headers: { 'content-type': 'application/json' }, body: JSON.stringify(value) };
}
