/**
 * The session cookie of a site account. The library verifies only the current key's signature, so a
 * cookie signed with the previous key is re-signed here: rotating keys signs nobody out.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { framedCookie, unframedCookie } from '@gatehouse/frame/server';
import type { AccountsSite } from '../site.ts';
import { authSecrets } from './secrets.ts';

export const sessionCookieName = '__Host-site-session';

/** Seconds: a session expires thirty days after sign-in, used or not. */
export const sessionSeconds = 30 * 24 * 60 * 60;

/**
 * Only partitioned cookies survive in a cross-site frame, one jar per platform page. A site that
 * may not be framed uses a `SameSite=Lax` cookie instead, which cross-site subrequests and form
 * posts do not carry.
 */
export function sessionCookieAttributes(site: AccountsSite) {
  return standsAlone(site) ? unframedCookie : framedCookie;
}

function standsAlone({ settings }: AccountsSite): boolean {
  return settings().frameAncestors.every((source) => /^'(none|self)'$/i.test(source));
}

/**
 * The request's session cookie, signed with the current key.
 *
 * @returns null if there is none, or its signature is invalid.
 */
export function sessionCookieOf(
  site: AccountsSite,
  request: Request,
): { header: string; token: string } | null {
  // If the cookie is repeated, trust neither value.
  const [value, ...more] = cookiesNamed(sessionCookieName, request.headers.get('cookie') ?? '');
  if (value === undefined || more.length > 0) return null;
  const dot = value.lastIndexOf('.');
  if (dot < 1) return null;
  const token = value.slice(0, dot);
  const signature = Buffer.from(value.slice(dot + 1));
  const isOurs = authSecrets(site).some((key) => {
    const expected = Buffer.from(signatureOf(token, key));
    return expected.length === signature.length && timingSafeEqual(expected, signature);
  });
  if (!isOurs) return null;
  return { header: `${sessionCookieName}=${signed(site, token)}`, token };
}

function cookiesNamed(name: string, header: string): string[] {
  return header
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(`${name}=`))
    .map((pair) => decoded(pair.slice(name.length + 1)));
}

function decoded(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return '';
  }
}

function signatureOf(token: string, key: string): string {
  return createHmac('sha256', key).update(token).digest('base64');
}

function signed(site: AccountsSite, token: string): string {
  return encodeURIComponent(`${token}.${signatureOf(token, authSecrets(site)[0])}`);
}

/** A `Set-Cookie` header that deletes the session cookie. */
export function expiredSessionCookie(site: AccountsSite): string {
  return setCookie(site, '', 0);
}

/** A `Set-Cookie` header with a session's token, as the library's own at sign-in. */
export function sessionCookieWith(site: AccountsSite, token: string): string {
  return setCookie(site, signed(site, token), sessionSeconds);
}

function setCookie(site: AccountsSite, value: string, maxAge: number): string {
  const { sameSite, ...rest } = sessionCookieAttributes(site);
  const partitioned = 'partitioned' in rest ? '; Partitioned' : '';
  const policy = sameSite === 'lax' ? 'Lax' : 'None';
  return `${sessionCookieName}=${value}; Max-Age=${maxAge}; Path=/; HttpOnly; Secure; SameSite=${policy}${partitioned}`;
}
