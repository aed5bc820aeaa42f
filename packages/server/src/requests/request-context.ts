/** What a route knows about its request: Remix's `context`, one object per request. */
import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import { canonicalAddress } from './client-address.ts';

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
  /**
   * The page's address as the browser sent it, also for its data and forms. Remix's `request.url` has another spelling of
   * the query: `+` for `%20`, and `?x=` for `?x`.
   */
  page?: { pathname: string; search: string };
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

type Known = 'signal' | 'requestId' | 'nonce';

/**
 * The context of a request.
 *
 * @param url the address as the browser requested it.
 */
export function createRequestContext(
  { pathname, search }: Pick<URL, 'pathname' | 'search'>,
  isResource: (pathname: string) => boolean,
  { method, ...own }: Required<Pick<RequestContext, Known>> & { method?: string },
): Required<Pick<RequestContext, Known | 'kind' | 'page'>> {
  const kind = pathname.endsWith('.data') ? 'data' : isResource(pathname) ? 'resource' : 'document';
  const added = [
    ...(kind === 'data' ? ['_routes=[^&]*'] : []),
    // In the action of a form on an index route.
    ...(method === 'POST' ? ['index=?'] : []),
  ];
  const page = { pathname: pageOf(pathname), search: withoutParameters(search, added) };
  return { ...own, kind, page };
}

/** The page whose data is requested, or the path itself. */
export function pageOf(pathname: string): string {
  return pathname.endsWith('.data')
    ? pathname.slice(0, -'.data'.length).replace(/^\/_root$/, '/')
    : pathname;
}

/** Leaves every other byte as it is. */
function withoutParameters(search: string, patterns: readonly string[]): string {
  const added = new RegExp(`^(${patterns.join('|')})$`);
  const kept = search.slice(1).split('&');
  const query = kept.filter((parameter) => !(patterns.length > 0 && added.test(parameter)));
  return query.join('&') && `?${query.join('&')}`;
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
  if (trustedProxies === 0) return addressIn(socket.remoteAddress ?? '');
  const forwarded = headers['x-forwarded-for'];
  const entries = (Array.isArray(forwarded) ? forwarded.join(',') : (forwarded ?? ''))
    .split(',')
    .map((entry) => entry.trim())
    // Empty ones count for nothing (RFC 9110, section 5.6.1.2).
    .filter(Boolean);
  return addressIn(entries.at(-trustedProxies) ?? '');
}

/**
 * The address in an entry. Some proxies append the port, `10.0.0.1:4711` or `[2001:db8::1]:4711`, or quote the entry as
 * `Forwarded` does (RFC 7239, section 6). Undefined for `unknown` and other names.
 */
function addressIn(entry: string): string | undefined {
  const unquoted = entry.replace(/^"(.*)"$/, '$1');
  const [, bracketed, plain] =
    /^(?:\[([^\]]*)\](?::[\w.-]+)?|([\d.]+):[\w.-]+)$/.exec(unquoted) ?? [];
  const address = bracketed ?? plain ?? unquoted;
  // Most clients' addresses have one spelling.
  return isIP(address) === 4 ? address : canonicalAddress(address);
}
