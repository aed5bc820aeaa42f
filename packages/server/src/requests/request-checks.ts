/** Checks on every request before it reaches a route, in one list. */
import type { IncomingMessage } from 'node:http';
import type { ServerSettings, Site } from '../site.ts';

export interface Refusal {
  status: number;
  /** The `error` of the JSON body. */
  error: string;
  headers?: Record<string, string>;
}

export interface CheckedRequest {
  method: string;
  headers: IncomingMessage['headers'];
  /** For example `1.1`. */
  httpVersion: string;
  url: URL;
}

/** The last check. A route with `access: 'machine'` is exempt from it. */
export const crossSiteRequest: Refusal = { status: 403, error: 'cross_site_request' };

/** A request with more bytes than its route's `handle.body`, declared or sent. */
export const bodyTooLarge: Refusal = { status: 413, error: 'body_too_large' };

/** Whether the declared length exceeds the limit, in bytes. A chunked body declares none. */
export function isTooLarge({ headers }: IncomingMessage, limit: number): boolean {
  return Number(headers['content-length'] ?? 0) > limit;
}

const safeMethods = new Set(['GET', 'HEAD']);
const methods = new Set([...safeMethods, 'POST', 'PUT', 'PATCH', 'DELETE']);

/**
 * The request's URL on the site's own origin. The `Host` header is ignored, so that a proxy may rewrite it.
 * Null if the target is not a path, as in absolute form or `*`.
 */
export function requestUrl(target: string | undefined, siteOrigin: string): URL | null {
  if (!target?.startsWith('/')) return null;
  // Concatenated, because resolving `//host/` against a base would change the origin.
  return URL.canParse(siteOrigin + target) ? new URL(siteOrigin + target) : null;
}

type CheckedSite = Pick<ServerSettings, 'siteOrigin'> & Pick<Site, 'isResource' | 'framework'>;

const checks: ((request: CheckedRequest, site: CheckedSite) => Refusal | null)[] = [
  // RFC 9112, section 3.2. Node's own response would lack the site's headers.
  ({ headers, httpVersion }) =>
    headers.host === undefined && httpVersion === '1.1'
      ? { status: 400, error: 'malformed_request' }
      : null,

  ({ method }) =>
    methods.has(method)
      ? null
      : {
          status: 405,
          error: 'method_not_allowed',
          headers: { allow: [...methods].join(', ') },
        },

  // No address has empty segments. Browsers read a leading one as another host, and React Router takes most
  // of a second for fifteen thousand of them.
  ({ url: { pathname, search } }) =>
    pathname.includes('//')
      ? {
          status: 308,
          error: 'moved',
          headers: {
            location: pathname.replaceAll(/\/{2,}/g, '/') + search,
          },
        }
      : null,

  // React Router matches the decoded path. It logs a warning for one that cannot be decoded, and throws for
  // one that resolves to another host when decoded.
  ({ url }) => (isRoutable(url.pathname) ? null : { status: 400, error: 'malformed_address' }),

  ({ url }, { framework }) =>
    framework.addresses.bypassesChecks(url) ? { status: 400, error: 'unsupported_query' } : null,

  // A resource's data address would return the same response with a page's headers. Each resource has only one
  // address.
  ({ url: { pathname } }, { isResource, framework }) =>
    isResource(pathname) && framework.addresses.isData(decoded(pathname).toLowerCase())
      ? { status: 404, error: 'not_found' }
      : null,

  // The likely attacker is another site in the same platform page, whose posts carry the visitor's session.
  // Pages cannot forge `Sec-Fetch-Site`; `Origin` serves older browsers.
  ({ method, headers }, { siteOrigin }) =>
    safeMethods.has(method) ||
    headers['sec-fetch-site'] === 'same-origin' ||
    (headers['sec-fetch-site'] === undefined && headers.origin === siteOrigin)
      ? null
      : crossSiteRequest,
];

/** The path as the router decodes it. One that cannot be decoded is returned unchanged. */
export function decoded(pathname: string): string {
  try {
    return decodeURIComponent(pathname);
  } catch {
    return pathname;
  }
}

/** The first rejection, or null. */
export function checkRequest(request: CheckedRequest, site: CheckedSite): Refusal | null {
  for (const check of checks) {
    const refusal = check(request, site);
    if (refusal) return refusal;
  }
  return null;
}

/**
 * Whether a request header claims an identity or origin that clients must not set. The platform attaches
 * identity to the site's calls, never to visitors' requests, so such a header is a forgery or a mistake.
 * Underscores count as hyphens, because CGI-like servers treat them alike.
 */
export function isUntrustedHeader(name: string): boolean {
  return untrusted.test(name.toLowerCase().replaceAll('_', '-'));
}

/**
 * Whether a request header may authenticate a webhook's caller. Of the untrusted headers, these are the
 * caller's own; proxies that assert an identity use others (`x-auth-request-…`, `x-auth-user-…`).
 */
export function isCallerCredential(name: string): boolean {
  return callerCredential.test(name.toLowerCase());
}

const callerCredential =
  /^(authorization|x-(auth|access)-(token|key|signature|timestamp|nonce)|x-token|x-account-(key|signature))$/;

const untrusted = new RegExp(
  [
    '(proxy-)?authorization|forwarded|via',
    '(x-)?(remote|forwarded|real|original|rewrite|client|cluster|true|ssl|oidc)-.*',
    // `x-user`, `x-user-id`, `x-userid`
    'x-(auth|user|platform|identity|principal|account|session|visitor|persona|member|subject|email|role|group|consumer|credential|token|access|jwt|webauth)[a-z]*(-.*)?',
    'x-(goog|ms-client|amzn-(oidc|mtls))-.*',
    '(cf-(access|connecting)|tailscale-user)-.*',
  ]
    .map((names) => `^(${names})$`)
    .join('|'),
);

function isRoutable(pathname: string): boolean {
  try {
    // A URL parser drops tabs and line breaks, and reads a backslash as a slash. The router leaves `%2F`
    // encoded.
    return !/^\/[\t\r\n]*\\/.test(decodeURIComponent(pathname));
  } catch {
    return false;
  }
}
