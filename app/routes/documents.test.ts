// auth: platform
/** Pages and their forms as a browser gets and posts them before any script runs. */
import { expect, test, vi } from 'vitest';
import { startSiteOnPlatform } from '~/testing/site-on-platform';
import { json } from '~/testing/upstream-double';

const { platform, site, signIn } = await startSiteOnPlatform();

test('with the platform lost, the home page is shown and never sends to sign in [W15] [W33]', async () => {
  platform.on('/user', json(503, { error: 'canary' }));
  const response = await site.ask('/');
  expect([response.status, response.headers.has('location')]).toEqual([200, false]);
  const page = await response.text();
  expect(page).toContain('Sign-in is not reachable');
  expect(page).not.toContain('canary');
});

test.each(['/nowhere', '/login', '/logout', '/nowhere/x'])(
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
