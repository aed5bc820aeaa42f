/** The session cookie of an unframed site, and during a key rotation. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

const [first, second, third] = ['1', '2', '3'].map((sign) => sign.repeat(32));

beforeEach(() => {
  vi.resetModules();
  vi.stubEnv('NODE_ENV', 'production');
  vi.stubEnv('PLATFORM_INTERNAL_URL', 'http://127.0.0.1:9');
  vi.stubEnv('SMTP_URL', 'off');
  vi.stubEnv('AUTH_SECRET', first);
});
afterEach(() => {
  vi.unstubAllEnvs();
});

const load = () => import('./session-cookie.ts');
const requestWith = (cookie: string) =>
  new Request('https://site.example/', { headers: { cookie } });

test.each([
  ["'none'", 'lax'],
  ["'self'", 'lax'],
  ['https://platform.example', 'none'],
  ["'self' https://platform.example", 'none'],
])('with frame ancestors %s the cookie is SameSite=%s', async (ancestors, sameSite) => {
  vi.stubEnv('PLATFORM_FRAME_ANCESTORS', ancestors);
  const { sessionCookieAttributes, expiredSessionCookie } = await load();
  expect(sessionCookieAttributes()).toMatchObject({
    sameSite,
    secure: true,
    httpOnly: true,
    path: '/',
  });
  expect('partitioned' in sessionCookieAttributes()).toBe(sameSite === 'none');
  expect(expiredSessionCookie().includes('Partitioned')).toBe(sameSite === 'none');
});

test('a cookie signed with the previous key is re-signed; one with a retired key is rejected', async () => {
  const { createHmac } = await import('node:crypto');
  const signedBy = (key = '') =>
    requestWith(
      `__Host-site-session=${encodeURIComponent(`t1.${createHmac('sha256', key).update('t1').digest('base64')}`)}`,
    );
  vi.stubEnv('AUTH_SECRET', `${second},${first}`);
  const { sessionCookieOf } = await load();
  const current = sessionCookieOf(signedBy(second));
  expect(current).toMatchObject({ token: 't1' });
  expect(sessionCookieOf(signedBy(first))).toEqual(current);
  expect(sessionCookieOf(signedBy(third))).toBeNull();
});
