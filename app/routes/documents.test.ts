/** Pages and their forms as a browser gets and posts them before any script runs. */
import { expect, test, vi } from 'vitest';
import { startSiteOnPlatform } from '~/testing/site-on-platform';
import { json } from '~/testing/upstream-double';

const { platform, site, signIn, signOut } = await startSiteOnPlatform();

test('signed out, the account page sends a document to sign in, and back [W15]', async () => {
  signOut();
  const response = await site.ask('/account?tab=plan');
  expect(response.status).toBe(302);
  expect(response.headers.get('location')).toBe('/__auth/login?return=%2Faccount%3Ftab%3Dplan');
});

test('signed out, a client navigation to the account page leaves the document [W15]', async () => {
  signOut();
  const response = await site.ask('/account.data?tab=plan');
  const body = await response.text();
  // A status that `fetch` does not follow: Remix reads where to go from the body.
  expect(response.status).toBe(202);
  expect(body).toContain('/__auth/login?return=%2Faccount%3Ftab%3Dplan');
  expect(body).toMatch(/"reload":true/);
});

test.each(['/', '/account'])(
  'with the platform lost, %s shows a page and never sends to sign in [W15] [W33]',
  async (path) => {
    platform.on('/user', json(503, { error: 'canary' }));
    const response = await site.ask(path);
    expect(response.status).toBe(path === '/account' ? 503 : 200);
    expect(response.headers.has('location')).toBe(false);
    const page = await response.text();
    expect(page).toContain('Sign-in is not reachable');
    expect(page).not.toContain('canary');
  },
);

test.each(['/nowhere', '/login', '/logout', '/account/x'])(
  '%s is no page: 404, with the site around it [W05] [W30]',
  async (path) => {
    signIn();
    const response = await site.ask(path);
    expect(response.status).toBe(404);
    expect(await response.text()).toContain('There is no such page');
  },
);

test('an address with a broken escape is no page either', async () => {
  signIn();
  // Remix's router says so on the console.
  const warned = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  expect((await site.ask('/%zz')).status).toBe(404);
  expect(warned.mock.calls.flat().join()).toContain('could not be decoded');
});
