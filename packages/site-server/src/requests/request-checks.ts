/** What a request must be before any route sees it. Each check is a line of one list. */
import type { IncomingMessage } from 'node:http';
import type { ServerSettings, Site } from '../site';

export interface Refusal {
  status: number;
  /** The `error` of the JSON body. */
  error: string;
  headers?: Record<string, string>;
}

export interface CheckedRequest {
  method: string;
  headers: IncomingMessage['headers'];
  /** `1.1`, say. */
  httpVersion: string;
  url: URL;
}

/** The last of the checks. A route with `access: 'machine'` is exempt from it. */
export const crossSiteRequest: Refusal = { status: 403, error: 'cross_site_request' };

const safeMethods = new Set(['GET', 'HEAD']);
const methods = new Set([...safeMethods, 'POST', 'PUT', 'PATCH', 'DELETE']);

/**
 * The address of a request, on the site's own origin. The `Host` header has no say, so a proxy that
 * rewrites it breaks nothing. Null for what is no path: the absolute form, or `*`.
 */
export function requestUrl(target: string | undefined, siteOrigin: string): URL | null {
  if (!target?.startsWith('/')) return null;
  // Joined as text: resolving `//host/` against a base would change the origin.
  return URL.canParse(siteOrigin + target) ? new URL(siteOrigin + target) : null;
}

type CheckedSite = Pick<ServerSettings, 'siteOrigin'> & Pick<Site, 'isResource'>;

const checks: ((request: CheckedRequest, site: CheckedSite) => Refusal | null)[] = [
  // RFC 9112, section 3.2. Node would answer this by itself, without the site's headers.
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

  // No address here has an empty segment. A browser reads one at the start as another host, and
  // React Router takes most of a second over fifteen thousand of them.
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

  // React Router matches the decoded path. It warns on the console about one that cannot be decoded, and
  // throws at one that reads as another host once it is decoded.
  ({ url }) => (isRoutable(url.pathname) ? null : { status: 400, error: 'malformed_address' }),

  // A way of Remix 1 to run one loader alone, and it skips Remix's own origin check.
  ({ url }) => (url.searchParams.has('_data') ? { status: 400, error: 'unsupported_query' } : null),

  // A resource's `.data` would be the same answer with the headers of a page. Resources have one address each.
  ({ url }, { isResource }) =>
    isResource(url.pathname) && /\.data$/i.test(decoded(url.pathname))
      ? { status: 404, error: 'not_found' }
      : null,

  // Another site in the same platform page is the likely attacker: its posts carry the visitor's
  // session. `Sec-Fetch-Site` cannot be forged by a page, and `Origin` serves older browsers.
  ({ method, headers }, { siteOrigin }) =>
    safeMethods.has(method) ||
    headers['sec-fetch-site'] === 'same-origin' ||
    (headers['sec-fetch-site'] === undefined && headers.origin === siteOrigin)
      ? null
      : crossSiteRequest,
];

/** A path as the router reads it. One that cannot be decoded is left as it is. */
export function decoded(pathname: string): string {
  try {
    return decodeURIComponent(pathname);
  } catch {
    return pathname;
  }
}

/** The first check that refuses, or null. */
export function checkRequest(request: CheckedRequest, site: CheckedSite): Refusal | null {
  for (const check of checks) {
    const refusal = check(request, site);
    if (refusal) return refusal;
  }
  return null;
}

/**
 * Whether an incoming header claims an identity or a route it has no right to. The platform attaches
 * identity to the site's calls, never to the visitor's, so such a header is a forgery or a mistake.
 * Spellings are read as one: servers behind CGI-like layers take `X_User` for `X-User`.
 */
export function isUntrustedHeader(name: string): boolean {
  return untrusted.test(name.toLowerCase().replaceAll('_', '-'));
}

/**
 * Whether an incoming header is how a program proves to a webhook that it is the caller. Of the untrusted ones these
 * are the request's own: a proxy that tells who the visitor is uses others (`x-auth-request-…`, `x-auth-user-…`).
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
    // A URL parser drops tabs and line ends and reads a backslash as a slash. The router leaves `%2F` encoded.
    return !/^\/[\t\r\n]*\\/.test(decodeURIComponent(pathname));
  } catch {
    return false;
  }
}
