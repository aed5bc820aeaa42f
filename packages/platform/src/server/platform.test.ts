/** What a site makes of its settings and operations. */
import { expect, expectTypeOf, test, vi } from 'vitest';
import { z } from 'zod';
import { startSmallPlatform } from '../../test/small-platform.ts';
import { toSafeProfile } from '../profile.ts';
import { json } from '../testing/upstream-double.ts';
import { definePlatform } from './platform.ts';
import { body, operation } from './sdk/operation.ts';
import { PlatformSdkError } from './sdk/sdk-error.ts';

const { platform, checkPlatformUser, createPlatformSdk, requirePlatformSdk } =
  await startSmallPlatform();

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

/** A loader's arguments. */
const at = (path: string, context = {}) => ({
  request: new Request(new URL(path, 'https://site.example')),
  context,
});

const ada = { id: 'u1', name: 'Ada', token: 'canary' };

test('one line runs the guard and opens the SDK, with what a page may know of the visitor [W09] [W13] [W20]', async () => {
  platform.on('/user', json(200, ada));
  platform.on('/posts', json(204, null));
  const { user, sdk } = await requirePlatformSdk(at('/account'), { workspace: 'w1' });
  expect(user).toEqual(toSafeProfile(ada));
  expect(JSON.stringify(user)).not.toContain('canary');
  expect(platform.to('/posts')).toHaveLength(0);
  await sdk.posts.touch();
  expect(platform.to('/posts')).toMatchObject([{ method: 'POST', path: '/posts?workspace=w1' }]);
});

test('it asks the platform once per request, and makes user and SDK once [W09]', async () => {
  platform.on('/user', json(200, ada));
  const context = {};
  const [first, second] = await Promise.all([
    requirePlatformSdk(at('/account', context)),
    requirePlatformSdk(at('/account', context)),
  ]);
  expect(platform.to('/user')).toHaveLength(1);
  expect(first.sdk).toBe(first.sdk);
  expect(first.user).toBe(first.user);
  expect(second.user).toEqual(first.user);
});

test.each([
  ['a page', '/account', 401, 302],
  ['a resource', '/api/posts', 401, 401],
  ['a page, during an outage', '/account', 503, 503],
])('it refuses %s as requirePlatformUser does [W10] [W15]', async (_, path, upstream, status) => {
  platform.on('/user', json(upstream, { error: 'canary' }));
  const refused = await requirePlatformSdk(at(path)).catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(Response);
  expect((refused as Response).status).toBe(status);
  expect(platform.requests.every((request) => request.path === '/user')).toBe(true);
});

test('a null user passes it, and only the SDK is refused: 502 [W08] [W13]', async () => {
  platform.on('/user', json(200, null));
  const opened = await requirePlatformSdk(at('/account'));
  expect(opened.user).toMatchObject({ key: '', displayName: null });
  expect(() => opened.sdk).toThrow(
    expect.objectContaining({ name: 'PlatformSdkError', status: 502 }),
  );
});

test('a response that contains all of it carries no profile [W20]', async () => {
  platform.on('/user', json(200, ada));
  const opened = await requirePlatformSdk(at('/account'));
  expect(Object.entries(opened)).toEqual([]);
  expect(JSON.stringify(opened)).toBe('{}');
});

test('the SDK cannot be had without the guard [W13]', () => {
  type Opened = Awaited<ReturnType<typeof requirePlatformSdk>>;
  expectTypeOf<{ user: Opened['user']; sdk: Opened['sdk'] }>().not.toExtend<Opened>();
  expectTypeOf<{ ok: true; user: unknown }>().not.toExtend<
    Parameters<typeof createPlatformSdk>[0]
  >();
  expectTypeOf<ReturnType<typeof checkPlatformUser>>().resolves.not.toHaveProperty('sdk');
  // @ts-expect-error -- the promise has no SDK: the guard has to be awaited.
  expectTypeOf<ReturnType<typeof requirePlatformSdk>>().toHaveProperty('sdk');
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
