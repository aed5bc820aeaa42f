/** Every route runs the guard first, stops when it fails, and reveals no more than it may. */
import { beforeEach, expect, test, vi } from 'vitest';
import { createUpstream } from '@gatehouse/platform/server';
import { siteEnv } from '~/env.server';
import { lines } from '@gatehouse/server/testing/log-double';
import { ada, signedOutBody, visible } from '~/testing/platform/platform-with-ada';
import { startSiteOnPlatform } from '~/testing/platform/site-on-platform';
import { json, reset } from '@gatehouse/platform/testing/upstream-double';
import { startSite } from '~/testing/whole-site';

vi.mock('@gatehouse/server/log', () => import('@gatehouse/server/testing/log-double'));

const { platform, site, signIn, signOut, operations } = await startSiteOnPlatform({
  // Negative control: an operation without the guard.
  forgetful: {
    loader: async () => {
      const upstream = createUpstream(() => siteEnv().platformInternalUrl);
      return new Response((await upstream.call({ path: '/bookmarks' })).body);
    },
    default: undefined,
  },
});

beforeEach(() => {
  lines.length = 0;
});

test('an operation without the guard is noticed by the double [W09]', async () => {
  signOut();
  platform.on('/bookmarks', json(200, { items: [] }));
  await (await site.send('/forgetful')).text();
  expect(operations()).toHaveLength(1);
});

test.each(site.everyRequest)(
  'signed out, or with the platform unavailable, %s makes no call but the guard’s [W09] [W13] [W19]',
  async (path, init) => {
    for (const reply of [json(401, signedOutBody), json(503, {}), json(302, {}), reset]) {
      platform.forget();
      signIn();
      platform.on('/user', reply);
      await (await site.send(path, init)).text();
      expect(operations()).toEqual([]);
    }
  },
);

test.each(site.everyRequest)(
  '%s shows no profile field outside the safe ones [W20]',
  async (path, init) => {
    signIn();
    platform.on('/user', json(200, { ...ada, token: 'canary', internal: { host: 'canary' } }));
    const response = await site.send(path, init);
    // The relay passes the complete profile on, to the browser of its owner (W03).
    if (path !== '/api/user') expect(await visible(response)).not.toContain('canary');
  },
);

test('an exception in a route is logged, and not revealed to the browser [W33]', async () => {
  const broken = await startSite({
    broken: {
      default: () => null,
      loader: () => {
        throw new Error('canary: cannot reach 10.0.0.7');
      },
    },
  });
  signIn();
  for (const path of ['/broken', '/broken.data']) {
    const response = await broken.send(path);
    expect(response.status).toBe(500);
    expect(await visible(response)).not.toMatch(/canary|10\.0\.0\.7/);
  }
  expect(lines.filter((line) => line.includes('canary'))).toHaveLength(2);
  expect(lines[0]).toContain('"requestId":"r1"');
});
