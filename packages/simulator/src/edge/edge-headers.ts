/**
 * Filters a visitor's headers on their way to the site. The platform sets identity and forwarding headers, so
 * a visitor's own are dropped, in every spelling.
 */
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';

import { isIdentityHeader } from '../identity-claims.ts';
import { SESSION_COOKIE, withoutSessionCookie } from '../people/sessions.ts';

/** Set by proxies; a visitor's own are forged. Dropped without a note: they are harmless. */
const FORWARDING_HEADERS: readonly RegExp[] = [
  /^x-forwarded(-|$)/,
  /^forwarded$/,
  /^(x-real|x-client|x-cluster-client|true-client|cf-connecting|fastly-client)-ip$/,
  /^x-(original|rewrite)-(url|uri|host|method|path)$/,
  /^x-(host|http-host-override|http-method-override|method-override)$/,
];

/** RFC 9110, 7.6.1. `Transfer-Encoding` and `Content-Length` stay: they delimit the body. */
const HOP_BY_HOP = new Set([
  'connection',
  'keep-alive',
  'proxy-connection',
  'te',
  'trailer',
  'upgrade',
]);
const NEVER_NAMED_HOP_BY_HOP = new Set(['host', 'content-length', 'transfer-encoding', 'cookie']);

/**
 * Removes, in place, the headers of a request that must not reach the site.
 *
 * @returns the identity-like names that were removed, as the visitor spelt them (in lower case).
 */
export function cleanInboundHeaders(request: IncomingMessage, isUpgrade: boolean): string[] {
  const { headers } = request;
  const named = connectionTokens(headers.connection);
  const stripped: string[] = [];

  for (const name of Object.keys(headers)) {
    const plain = name.toLowerCase().replaceAll('_', '-');
    if (isIdentityHeader(name)) {
      stripped.push(name);
      remove(headers, name);
    } else if (FORWARDING_HEADERS.some((pattern) => pattern.test(plain))) {
      remove(headers, name);
    } else if (!isUpgrade && (HOP_BY_HOP.has(name) || named.has(name))) {
      remove(headers, name);
    }
  }

  const cookies = withoutSessionCookie(headers.cookie);
  if (cookies === undefined) delete headers.cookie;
  else headers.cookie = cookies;
  return stripped;
}

/** Whether a `Set-Cookie` value sets the session cookie, which is the platform's. */
export function isPlatformCookie(setCookie: string): boolean {
  return /^[^=;]*/.exec(setCookie)?.[0].trim() === SESSION_COOKIE;
}

/** The site's response headers, without the hop-by-hop ones and without the platform's own cookie. */
export function cleanResponseHeaders(response: IncomingMessage): string[] {
  const named = connectionTokens(response.headers.connection);
  const kept: string[] = [];
  for (let index = 0; index < response.rawHeaders.length; index += 2) {
    const [name = '', value = ''] = response.rawHeaders.slice(index, index + 2);
    const plain = name.toLowerCase();
    if (HOP_BY_HOP.has(plain) || named.has(plain)) continue;
    // Node applies its own chunking.
    if (plain === 'transfer-encoding') continue;
    if (plain === 'set-cookie' && isPlatformCookie(value)) continue;
    kept.push(name, value);
  }
  return kept;
}

function connectionTokens(header: string | undefined): Set<string> {
  const tokens = (header ?? '').split(',').map((token) => token.trim().toLowerCase());
  return new Set(tokens.filter((token) => token !== '' && !NEVER_NAMED_HOP_BY_HOP.has(token)));
}

function remove(headers: IncomingHttpHeaders, name: string): void {
  // eslint-disable-next-line @typescript-eslint/no-dynamic-delete
  delete headers[name];
}
