/** The guard. */
import { AsyncLocalStorage } from 'node:async_hooks';
import { getGlobalDispatcher, setGlobalDispatcher } from 'undici';
import { afterEach, expect, test, vi } from 'vitest';
import { smallPlatform, startSmallPlatform } from '../../test/small-platform.ts';
import { bytes, hang, json, raw, reset, type Reply } from '../testing/upstream-double.ts';
import type { PassedGuard } from './guard-results.ts';
import { onUpstreamFailure } from './upstream/failures.ts';

const {
  platform,
  checkPlatformUser,
  createPlatformSdk,
  hasCheckedPlatform,
  loadUserState,
  requirePlatformSdk,
} = await startSmallPlatform();

afterEach(() => {
  vi.useRealTimers();
});

const ada = { id: 'u1', name: 'Ada' };

test('calls the platform with GET /user and no other header [W01]', async () => {
  platform.on('/user', json(200, ada));
  await checkPlatformUser({ requestId: 'private' });
  expect(platform.requests).toHaveLength(1);
  expect(platform.requests[0]).toMatchObject({ method: 'GET', path: '/user', body: '' });
  expect(Object.keys(platform.requests[0]?.headers ?? {}).sort()).toEqual(['connection', 'host']);
});

test.each([200, 201, 226, 299])(
  'passes at status %i with the parsed profile [W08]',
  async (status) => {
    platform.on('/user', json(status, ada));
    expect(await checkPlatformUser({})).toEqual({ ok: true, user: ada });
  },
);

test.each([
  ['empty', ''],
  ['not JSON', '<p>hello</p>'],
  ['truncated JSON', '{"id":'],
  ['two JSON values', '{}{}'],
])('passes with a null user when the body is %s [W08]', async (_, body) => {
  platform.on('/user', bytes(200, body));
  expect(await checkPlatformUser({})).toEqual({ ok: true, user: null });
});

test('passes with a null user when the status has no body [W08]', async () => {
  platform.on('/user', bytes(204, ''));
  expect(await checkPlatformUser({})).toEqual({ ok: true, user: null });
});

test.each([300, 302, 400, 401, 403, 404, 429, 500, 503, 599])(
  'fails at status %i with the upstream status and body [W07] [W32]',
  async (status) => {
    const body = { error: 'said', detail: { of: ['the platform'] } };
    platform.on('/user', json(status, body));
    expect(await checkPlatformUser({})).toEqual({ ok: false, status, body });
  },
);

test.each([
  ['empty', ''],
  ['not JSON', 'Unauthorized'],
])('fails with a null body when the body is %s [W07]', async (_, body) => {
  platform.on('/user', bytes(401, body, { 'content-type': 'application/json' }));
  expect(await checkPlatformUser({})).toEqual({ ok: false, status: 401, body: null });
});

test('a redirect is a failure with its status, and is not followed [W07]', async () => {
  platform.on('/user', bytes(307, '', { location: '/trap' }));
  platform.on('/trap', json(200, ada));
  expect(await checkPlatformUser({})).toEqual({ ok: false, status: 307, body: null });
  expect(platform.to('/trap')).toHaveLength(0);
});

test.each<[string, Reply]>([
  ['a reset', reset],
  ['a status above 599', raw('HTTP/1.1 700 Odd\r\n\r\n')],
  ['a truncated body', raw('HTTP/1.1 200 OK\r\ncontent-length: 99\r\n\r\n{"id":"u1"')],
  ['an oversized body', bytes(200, `"${'x'.repeat(1024 * 1024)}"`)],
])('%s is a failure with 502, never a pass [W07]', async (_, reply) => {
  platform.on('/user', reply);
  expect(await checkPlatformUser({})).toEqual({
    ok: false,
    status: 502,
    body: { error: 'upstream_unavailable' },
  });
});

test('a platform silent for five seconds is a failure with 504', async () => {
  platform.on('/user', hang);
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const requested = platform.next();
  const guard = checkPlatformUser({});
  const request = await requested;
  await vi.advanceTimersByTimeAsync(5_000);
  expect(await guard).toMatchObject({ ok: false, status: 504 });
  expect(await request.ended).toBe('cut');
});

test('the call is aborted when the visitor disconnects', async () => {
  platform.on('/user', hang);
  const visitor = new AbortController();
  const requested = platform.next();
  const guard = checkPlatformUser({ signal: visitor.signal });
  const request = await requested;
  visitor.abort();
  expect(await guard).toMatchObject({ ok: false, status: 502 });
  expect(await request.ended).toBe('cut');
});

test('many checks in one request call the platform once', async () => {
  platform.on('/user', json(200, ada));
  const context = {};
  const together = await Promise.all(Array.from({ length: 20 }, () => checkPlatformUser(context)));
  together.push(await checkPlatformUser(context));
  expect(new Set(together).size).toBe(1);
  expect(platform.requests).toHaveLength(1);
});

test('a failure is also memoised for its request, and for no other', async () => {
  platform.on('/user', json(401, null));
  const context = {};
  await checkPlatformUser(context);
  platform.on('/user', json(200, ada));
  expect(await checkPlatformUser(context)).toMatchObject({ ok: false });
  expect(await checkPlatformUser({})).toMatchObject({ ok: true });
  expect(platform.requests).toHaveLength(2);
});

test('200 concurrent requests each get their own visitor’s response', async () => {
  // Adds identity as the platform does: by the request in whose context the call is made.
  const visitor = new AsyncLocalStorage<string>();
  const original = getGlobalDispatcher();
  setGlobalDispatcher(
    original.compose((dispatch) => (options, handler) => {
      const headers = {
        ...(options.headers as object),
        'x-test-visitor': visitor.getStore() ?? '',
      };
      return dispatch({ ...options, headers }, handler);
    }),
  );
  // No response is sent until all calls have arrived; then they are sent in reverse order.
  const held: (() => void)[] = [];
  platform.on('/user', (response, request) => {
    const name = String(request.headers['x-test-visitor']);
    const status = Number(name) % 3 === 0 ? 401 : 200;
    held.push(() => {
      json(status, { id: name })(response, request);
    });
    if (held.length === 200) for (const respond of held.reverse()) respond();
  });

  try {
    const names = Array.from({ length: 200 }, (_, index) => String(index));
    const guards = await Promise.all(
      names.map((name) => {
        const context = {};
        return visitor.run(name, async () => {
          const both = await Promise.all([checkPlatformUser(context), checkPlatformUser(context)]);
          expect(both[0]).toBe(both[1]);
          return both[0];
        });
      }),
    );
    expect(guards).toEqual(
      names.map((id) =>
        Number(id) % 3 === 0
          ? { ok: false, status: 401, body: { id } }
          : { ok: true, user: { id } },
      ),
    );
    expect(platform.requests).toHaveLength(200);
  } finally {
    setGlobalDispatcher(original);
  }
});

test('a passed guard is bound to its request; a copy or forgery is rejected [W13]', async () => {
  platform.on('/user', json(200, ada));
  const guard = await checkPlatformUser({ requestId: 'r7' });
  if (!guard.ok) throw new Error('the guard failed');
  const reports: object[] = [];
  onUpstreamFailure((report) => reports.push(report));
  await createPlatformSdk(guard)
    .posts.touch()
    .catch(() => undefined);
  expect(reports).toEqual([{ path: '/posts', reason: 'status 404', requestId: 'r7' }]);

  const copy: unknown = structuredClone({ ...guard });
  const fromJson: unknown = JSON.parse(JSON.stringify(guard));
  const heir: unknown = Object.create(guard);
  const proxy: unknown = new Proxy(guard, {});
  const ofAnother = await smallPlatform(() => platform.url).checkPlatformUser({});
  const forged = [{ ok: true, user: ada }, { ...guard }, copy, fromJson, heir, proxy, ofAnother];
  for (const each of forged) {
    expect(() => createPlatformSdk(each as PassedGuard)).toThrow(TypeError);
  }
});

test('a passed guard’s user cannot be replaced [W13]', async () => {
  platform.on('/user', json(200, ada));
  const guard = await checkPlatformUser({});
  expect(() => {
    (guard as { user: unknown }).user = { id: 'root' };
  }).toThrow(TypeError);
});

test('where caches may keep the response the guard throws, and the page learns nothing of its visitor [W19]', async () => {
  platform.on('/user', json(200, ada));
  const context = { isPublic: true };
  expect(await loadUserState(context)).toEqual({ status: 'checking' });
  expect(hasCheckedPlatform(context)).toBe(false);
  const request = new Request('https://site.example/listing');
  await expect(checkPlatformUser(context)).rejects.toThrow('A route with `handle.cache`');
  await expect(requirePlatformSdk({ request, context })).rejects.toThrow('handle.cache');
  expect(hasCheckedPlatform(context)).toBe(true);
  expect(platform.requests).toHaveLength(0);
  expect(await loadUserState({})).toMatchObject({ status: 'signed-in' });
});
