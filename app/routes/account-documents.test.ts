/** The account page over HTTP. */
import { expect, test } from 'vitest';
import { startSiteOnPlatform } from '~/testing/platform/site-on-platform';
import { json } from '@gatehouse/platform/testing/upstream-double';

const { platform, site, signOut } = await startSiteOnPlatform();

test('signed out, a document request for the account page is redirected to sign-in and back [W15]', async () => {
  signOut();
  const response = await site.send('/account?tab=plan');
  expect(response.status).toBe(302);
  expect(response.headers.get('location')).toBe('/__auth/login?return=%2Faccount%3Ftab%3Dplan');
});

test('signed out, a client navigation to the account page loads a new document [W15]', async () => {
  signOut();
  const response = await site.send('/account.data?tab=plan');
  const body = await response.text();
  // A status that `fetch` does not follow: Remix reads the redirect from the body.
  expect(response.status).toBe(202);
  expect(body).toContain('/__auth/login?return=%2Faccount%3Ftab%3Dplan');
  expect(body).toMatch(/"reload"[:,]true/);
});

test.each([
  ['/account?s=a%20b', '?s=a%20b'],
  ['/account?x&y=', '?x&y='],
  ['/account.data?s=a%20b&x&_routes=routes%2Faccount', '?s=a%20b&x'],
  ['/account.data?_routes=routes%2Faccount&s=%7e%C3%B6', '?s=%7e%C3%B6'],
  ['/account.data?_routes=routes%2Faccount', ''],
])('signed out, %s returns to the query byte for byte [W05]', async (path, query) => {
  signOut();
  const response = await site.send(path);
  const shown = response.headers.get('location') ?? (await response.text());
  const [, address = ''] = /(\/__auth\/login\?return=[^"]*)/.exec(shown) ?? [];
  expect(new URL(address, 'https://site.example').searchParams.get('return')).toBe(
    `/account${query}`,
  );
});

test('with the platform unavailable, the account page answers 502 and does not redirect to sign-in [W15] [W33]', async () => {
  platform.on('/user', json(503, { error: 'canary' }));
  const response = await site.send('/account');
  expect([response.status, response.headers.has('location')]).toEqual([503, false]);
  const page = await response.text();
  expect(page).toContain('Sign-in is unavailable');
  expect(page).not.toContain('canary');
});
