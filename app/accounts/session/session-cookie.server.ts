/**
 * The cookie of a site account's session: what kind it is, and how it is signed. The library signs it by the key in
 * use; one that was signed by the key before that is signed again here, so that a change of keys signs nobody out.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { siteEnv } from '~/env.server';
import { framedCookie, unframedCookie } from '~/frame/cookies.server';
import { authSecrets } from './secrets.server';

export const sessionCookieName = '__Host-site-session';

/** Seconds: a session ends thirty days after sign-in, used or not. */
export const sessionSeconds = 30 * 24 * 60 * 60;

/**
 * In a frame of another site only one kind of cookie is kept, and a browser gives each platform's page a jar of its
 * own. A site that nobody may frame stands alone: its cookie is kept from every request that another site causes.
 */
export function sessionCookieAttributes() {
  return standsAlone() ? unframedCookie : framedCookie;
}

function standsAlone(): boolean {
  return siteEnv().frameAncestors.every((source) => /^'(none|self)'$/i.test(source));
}

/**
 * The session cookie of a request, signed by the key in use.
 * @returns null when there is none, or none that a key of ours has signed.
 */
export function sessionCookieOf(request: Request): { header: string; token: string } | null {
  // Two cookies of the name: neither is believed.
  const [value, ...more] = cookiesNamed(sessionCookieName, request.headers.get('cookie') ?? '');
  if (value === undefined || more.length > 0) return null;
  const dot = value.lastIndexOf('.');
  if (dot < 1) return null;
  const token = value.slice(0, dot);
  const signature = Buffer.from(value.slice(dot + 1));
  const [current, ...previous] = authSecrets();
  const isOurs = [current, ...previous].some((key) => {
    const expected = Buffer.from(signatureOf(token, key));
    return expected.length === signature.length && timingSafeEqual(expected, signature);
  });
  if (!isOurs) return null;
  const signed = encodeURIComponent(`${token}.${signatureOf(token, current)}`);
  return { header: `${sessionCookieName}=${signed}`, token };
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

/** Takes the session cookie out of a browser. */
export function expiredSessionCookie(): string {
  const { sameSite, ...rest } = sessionCookieAttributes();
  const partitioned = 'partitioned' in rest ? '; Partitioned' : '';
  const policy = sameSite === 'lax' ? 'Lax' : 'None';
  return `${sessionCookieName}=; Max-Age=0; Path=/; HttpOnly; Secure; SameSite=${policy}${partitioned}`;
}
