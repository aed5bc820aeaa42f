/** What a site makes of its settings and operations. */
import { expect, test, vi } from 'vitest';
import { z } from 'zod';
import { startSmallPlatform } from '../../test/small-platform.ts';
import { json } from '../testing/upstream-double.ts';
import { definePlatform } from './platform.ts';
import { body, operation } from './sdk/operation.ts';
import { PlatformSdkError } from './sdk/sdk-error.ts';

const { platform, checkPlatformUser, createPlatformSdk } = await startSmallPlatform();

const demo = () => Promise.reject(new Error('No test but the last runs a demo.'));

async function passed(user: unknown) {
  platform.on('/user', json(200, user));
  const guard = await checkPlatformUser({});
  if (!guard.ok) throw new Error('the guard failed');
  return guard;
}

test('the settings are read at the first request, and only once', async () => {
  const settings = vi.fn(() => ({ internalUrl: platform.url, offlineDemo: false }));
  const own = definePlatform({ settings, operations: {}, demo });
  expect(settings).not.toHaveBeenCalled();
  platform.on('/user', json(200, { id: 'u1' }));
  await own.checkPlatformUser({});
  await own.relayPlatformUser();
  expect(settings).toHaveBeenCalledOnce();
});

test('a malformed setting fails the request that needs it', async () => {
  const own = definePlatform({
    settings: () => {
      throw new RangeError('PLATFORM_INTERNAL_URL is required.');
    },
    operations: {},
    demo,
  });
  await expect(own.checkPlatformUser({})).rejects.toThrow(RangeError);
});

test.each([null, 'Ada', 7, [{ id: 'u1' }]])(
  'the profile %j passes the guard, but there is nobody to act for: 502 [W08] [W13]',
  async (user) => {
    const guard = await passed(user);
    expect(() => createPlatformSdk(guard)).toThrow(PlatformSdkError);
  },
);

test('a call of the SDK names its workspace, and not the visitor [W01] [W12]', async () => {
  const sdk = createPlatformSdk(await passed({ id: 'u1' }), { workspace: 'w1' });
  platform.on('/posts', json(204, null));
  await sdk.posts.touch();
  expect(platform.to('/posts')).toMatchObject([{ method: 'POST', path: '/posts?workspace=w1' }]);
});

test('in the offline demo, each browser is a person of its own, and nothing is called [W31]', async () => {
  const handle = vi.fn(({ url }: Request, person: string) =>
    Promise.resolve(Response.json({ path: new URL(url).pathname + new URL(url).search, person })),
  );
  const own = definePlatform({
    settings: () => ({ internalUrl: platform.url, offlineDemo: true }),
    operations: {
      posts: {
        list: operation({
          get: '/posts',
          inWorkspace: true,
          returns: body(z.object({ path: z.string(), person: z.string() }), (seen) => seen),
        }),
      },
    },
    demo: () => Promise.resolve({ handle }),
  });
  const guards = await Promise.all([{}, {}].map((context) => own.checkPlatformUser(context)));
  const opened = guards.map((guard) => {
    if (!guard.ok) throw new Error('the guard failed');
    return own.createPlatformSdk(guard, { workspace: 'w1' });
  });
  const seen = await Promise.all(opened.map(({ posts }) => posts.list()));
  expect(seen.map(({ path }) => path)).toEqual(['/posts?workspace=w1', '/posts?workspace=w1']);
  expect(new Set(seen.map(({ person }) => person)).size).toBe(2);
  expect(seen[0]?.person).toMatch(/^demo_[\da-f-]{36}$/);
  expect(await own.relayPlatformUser()).toMatchObject({ status: 401 });
  expect(handle).toHaveBeenCalledTimes(2);
  expect(platform.requests).toHaveLength(0);
});
