/** What a route knows about its request: its `context`, one object per request. */
import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import type { PageAddress } from '../framework.ts';
import type { Publication } from '../responses/publication.ts';
import type { Site } from '../site.ts';
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
  /** Set where caches may keep the response: it is for everybody, and asking who the visitor is is a mistake. */
  isPublic?: boolean;
  /**
   * For the data of such a page, which no cache keeps: the context of its loaders. Only the root's own loader has the visitor's,
   * and says who is signed in.
   */
  publicContext?: RequestContext;
  /**
   * The page's address as the browser sent it, also for its data and forms. `request.url` may have another spelling
   * of the query: `+` for `%20`, and `?x=` for `?x`.
   */
  page?: PageAddress;
  /** What the browser does with the response: renders it, reads it as data, or uses it as a file. */
  kind?: 'document' | 'data' | 'resource';
  /** For the page's own scripts. */
  nonce?: string;
  /** Receives a complete page. The `Response` then has only status and headers. */
  takePage?: (page: Buffer) => void;
  /** Set for a page that caches may keep. It is sent in one piece. */
  publication?: Pick<Publication, 'isKnown' | 'withhold'>;
  /** Set by the page for its content security policy: the digest of development's inlined styles. */
  styleHash?: string;
}

type Known = 'signal' | 'requestId' | 'nonce';

/**
 * The context of a request.
 *
 * @param url the address as the browser requested it.
 */
export function createRequestContext(
  url: PageAddress,
  { isResource, framework: { addresses, contextOf } }: Pick<Site, 'isResource' | 'framework'>,
  { method, ...own }: Required<Pick<RequestContext, Known>> & { method?: string },
): Required<Pick<RequestContext, Known | 'kind' | 'page'>> {
  const isData = addresses.isData(url.pathname);
  const kind = isData ? 'data' : isResource(url.pathname) ? 'resource' : 'document';
  const context = { ...own, kind, page: addresses.pageOf(url, method) } as const;
  return contextOf ? contextOf(context) : context;
}

/** The query of a page without what a framework's own requests add: parameters that match a pattern. Other bytes stay as they are. */
export function withoutParameters(search: string, patterns: readonly string[]): string {
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
