/** What a route knows about its request: Remix's `context`, one object per request. */
import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';

export interface RequestContext {
  /** Aborts when the visitor disconnects. */
  signal?: AbortSignal;
  /** In every log line of this request, and in its `x-request-id` header. */
  requestId?: string;
  /** The client's IP address, according to the connection and the trusted proxies. */
  clientAddress?: string;
  /** The request's `Cookie` header, or an empty string. Untrusted input. */
  cookie?: string;
  /** Set for a machine's route: the request is signed out, whatever it carries. */
  anonymous?: boolean;
  /** What the browser does with the response: renders it, reads it as data, or uses it as a file. */
  kind?: 'document' | 'data' | 'resource';
  /** For the page's own scripts. */
  nonce?: string;
  /** Receives a complete page. The `Response` then has only status and headers. */
  takePage?: (page: Buffer) => void;
  /** Set by the page for its content security policy: the digest of development's inlined styles. */
  styleHash?: string;
}

declare module '@remix-run/node' {
  // All fields are optional, so that the app also runs on a plain Remix server.
  // eslint-disable-next-line @typescript-eslint/no-empty-object-type -- this is how Remix is told
  interface AppLoadContext extends RequestContext {}

  interface Future {
    v3_singleFetch: true;
  }
}

/**
 * The context of a request.
 *
 * @param url the address as the browser requested it.
 */
export function createRequestContext(
  { pathname }: URL,
  isResource: (pathname: string) => boolean,
  own: Required<Pick<RequestContext, 'signal' | 'requestId' | 'nonce'>>,
): Required<Pick<RequestContext, 'signal' | 'requestId' | 'nonce' | 'kind'>> {
  const kind = pathname.endsWith('.data') ? 'data' : isResource(pathname) ? 'resource' : 'document';
  return { ...own, kind };
}

/**
 * The client's IP address, behind a known number of proxies. Each proxy appends the address that connected to it to
 * `x-forwarded-for`. Only as many of the last entries can be trusted as there are trusted proxies; the client may have
 * forged the rest.
 */
export function clientAddressOf(
  { headers, socket }: Pick<IncomingMessage, 'headers' | 'socket'>,
  trustedProxies = 0,
): string | undefined {
  const forwarded = headers['x-forwarded-for'];
  const said = (Array.isArray(forwarded) ? forwarded.join(',') : (forwarded ?? ''))
    .split(',')
    .map((one) => one.trim());
  const address = trustedProxies === 0 ? socket.remoteAddress : said.at(-trustedProxies);
  const plain = (address ?? '')
    // Some proxies append the port: `10.0.0.1:4711`, `[2001:db8::1]:4711`.
    .replace(/^([\d.]+|\[[\da-f:.]+\]):\d+$/i, '$1')
    .replace(/^\[(.*)\]$/, '$1')
    // An IPv4 address on a dual-stack socket.
    .replace(/^::ffff:(?=[\d.]+$)/i, '');
  return isIP(plain) === 0 ? undefined : plain;
}
