/** The session cookie of an unframed site, and during a key rotation. */
import { createHmac } from 'node:crypto';
import { expect, test } from 'vitest';
import type { AccountsSettings, AccountsSite } from '../site.ts';
import {
  expiredSessionCookie,
  sessionCookieAttributes,
  sessionCookieOf,
} from './session-cookie.ts';

const [first, second, third] = ['1', '2', '3'].map((sign) => sign.repeat(32)) as [
  string,
  string,
  string,
];

function siteWith(given: Partial<AccountsSettings>): AccountsSite {
  const notNeeded = () => {
    throw new Error('A cookie needs the settings only.');
  };
  return {
    settings: () => ({
      mode: 'production',
      siteOrigin: 'https://site.example',
      frameAncestors: ["'none'"],
      authSecrets: [first],
      smtpUrl: null,
      mailFrom: 'no-reply@site.example',
      ...given,
    }),
    store: notNeeded,
    log: { warn: notNeeded, error: notNeeded },
    networkOf: notNeeded,
    mailOf: notNeeded,
    formMessages: { limited: String, otherAccount: 'Another account is signed in.' },
    signInPath: '/sign-in',
  };
}

const requestWith = (cookie: string) =>
  new Request('https://site.example/', { headers: { cookie } });

test.each([
  ["'none'", 'lax'],
  ["'self'", 'lax'],
  ['https://platform.example', 'none'],
  ["'self' https://platform.example", 'none'],
])('with frame ancestors %s the cookie is SameSite=%s', (ancestors, sameSite) => {
  const site = siteWith({ frameAncestors: ancestors.split(' ') });
  const attributes = sessionCookieAttributes(site);
  expect(attributes).toMatchObject({ sameSite, secure: true, httpOnly: true, path: '/' });
  expect('partitioned' in attributes).toBe(sameSite === 'none');
  expect(expiredSessionCookie(site).includes('Partitioned')).toBe(sameSite === 'none');
});

test('a cookie signed with the previous key is re-signed; one with a retired key is rejected', () => {
  const signedBy = (key: string) =>
    requestWith(
      `__Host-site-session=${encodeURIComponent(`t1.${createHmac('sha256', key).update('t1').digest('base64')}`)}`,
    );
  const site = siteWith({ authSecrets: [second, first] });
  const current = sessionCookieOf(site, signedBy(second));
  expect(current).toMatchObject({ token: 't1' });
  expect(sessionCookieOf(site, signedBy(first))).toEqual(current);
  expect(sessionCookieOf(site, signedBy(third))).toBeNull();
});
