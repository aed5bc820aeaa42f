/**
 * What of a visitor's headers may reach the site. The platform owns identity and the forwarding
 * headers, so whatever a visitor claims in them is dropped, in every spelling.
 */
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';

import { isIdentityHeader } from '../identity-claims';
import { SESSION_COOKIE, withoutSessionCookie } from '../people/sessions';

/** Set by proxies; from a visitor they are inventions. Dropped, but not worth a note. */
const FORWARDING_HEADERS: readonly RegExp[] = [
  /^x-forwarded(-|$)/,
  /^forwarded$/,
  /^(x-real|x-client|x-cluster-client|true-client|cf-connecting|fastly-client)-ip$/,
  /^x-(original|rewrite)-(url|uri|host|method|path)$/,
  /^x-(host|http-host-override|http-method-override|method-override)$/,
];

/** RFC 9110 section 7.6.1. Transfer-Encoding and Content-Length stay: they frame the body. */
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
 * Removes from a request, in place, what must not reach the site.
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

/** Whether a `Set-Cookie` value would decide about the session, which is the platform's alone. */
export function isPlatformCookie(setCookie: string): boolean {
  return /^[^=;]*/.exec(setCookie)?.[0].trim() === SESSION_COOKIE;
}

/**
 * The site's response headers as they came, without those of the connection behind the edge, and
 * without the platform's own cookie.
 */
export function cleanResponseHeaders(response: IncomingMessage): string[] {
  const named = connectionTokens(response.headers.connection);
  const kept: string[] = [];
  for (let index = 0; index < response.rawHeaders.length; index += 2) {
    const [name = '', value = ''] = response.rawHeaders.slice(index, index + 2);
    const plain = name.toLowerCase();
    if (HOP_BY_HOP.has(plain) || named.has(plain)) continue;
    // Node chunks the body again by itself.
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
