/** Pages and their forms over HTTP, as a browser without JavaScript requests them. */
import { expect, test, vi } from 'vitest';
import { startSiteOnPlatform } from '~/testing/platform/site-on-platform';
import { json } from '@gatehouse/platform/testing/upstream-double';

const { platform, site, signIn } = await startSiteOnPlatform();

test('with the platform unavailable, the home page is shown without a redirect to sign-in [W15] [W33]', async () => {
  platform.on('/user', json(503, { error: 'canary' }));
  const response = await site.send('/');
  expect([response.status, response.headers.has('location')]).toEqual([200, false]);
  const page = await response.text();
  expect(page).toContain('Sign-in is unavailable');
  expect(page).not.toContain('canary');
});

test.each(['/nowhere', '/login', '/logout', '/nowhere/x'])(
  '%s is a 404 page within the site’s layout [W05] [W30]',
  async (path) => {
    signIn();
    const response = await site.send(path);
    expect(response.status).toBe(404);
    expect(await response.text()).toContain('Page not found');
  },
);

test('an address with an invalid escape is a 404 page too', async () => {
  signIn();
  // Remix's router logs it to the console.
  const warned = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  expect((await site.send('/%zz')).status).toBe(404);
  expect(warned.mock.calls.flat().join()).toContain('could not be decoded');
});
