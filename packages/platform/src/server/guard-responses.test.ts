/** Responses of a failed guard, and what pages learn from a passed one. */
import { expect, test } from 'vitest';
import { startSmallPlatform } from '../../test/small-platform.ts';
import { bytes, json, reset } from '../testing/upstream-double.ts';
import { guardFailureResponse, userStateOf } from './guard-results.ts';

const { platform, checkPlatformUser, requirePlatformUser } = await startSmallPlatform();

/** A loader's arguments for an address of the site. */
const at = (path: string) => ({
  request: new Request(new URL(path, 'https://site.example')),
  context: {},
});

const ada = { id: 'u1', name: 'Ada' };

/** The `Response` that a promise rejects with. */
async function thrownBy(promise: Promise<unknown>): Promise<Response> {
  const thrown: unknown = await promise.then(
    () => 'nothing',
    (error: unknown) => error,
  );
  if (!(thrown instanceof Response)) throw new Error(`no Response was thrown: ${String(thrown)}`);
  return thrown;
}

test('a refused operation responds with the upstream status and body as JSON [W10]', async () => {
  const body = { error: 'signed out', hint: ['ö', 1] };
  platform.on('/user', json(401, body, { 'content-type': 'application/vnd.x+json' }));
  const guard = await checkPlatformUser({});
  if (guard.ok) throw new Error('the guard passed');
  const response = guardFailureResponse(guard);
  expect(response.status).toBe(401);
  expect(response.headers.get('content-type')).toBe('application/json');
  expect(response.headers.get('cache-control')).toBe('no-store');
  expect(await response.json()).toEqual(body);
});

test.each([300, 304, 403, 500, 599])(
  'a refused operation can respond with status %i [W10]',
  async (status) => {
    platform.on('/user', status === 304 ? bytes(304, '') : json(status, { reported: 1 }));
    const guard = await checkPlatformUser({});
    if (guard.ok) throw new Error('the guard passed');
    const response = guardFailureResponse(guard);
    expect(response.status).toBe(status);
    expect(await response.text()).toBe(status === 304 ? '' : '{"reported":1}');
  },
);

test('a page’s guard passes for a signed-in visitor [W15]', async () => {
  platform.on('/user', json(200, ada));
  expect(await requirePlatformUser(at('/account'))).toEqual({ ok: true, user: ada });
});

test.each([
  ['/account', '%2Faccount'],
  ['/account?tab=a b&x=1', '%2Faccount%3Ftab%3Da%2520b%26x%3D1'],
  ['/notes?index&a=1', '%2Fnotes%3Fa%3D1'],
  ['/notes?index=2', '%2Fnotes%3Findex%3D2'],
  ['/.//evil.test', '%2Fevil.test'],
])(
  'a signed-out visitor at %s is redirected to sign-in and back [W15] [W05]',
  async (path, back) => {
    platform.on('/user', json(401, { error: 'canary' }));
    const response = await thrownBy(requirePlatformUser(at(path)));
    expect(response.status).toBe(302);
    expect(response.headers.get('location')).toBe(`/__auth/login?return=${back}`);
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(response.headers.get('x-remix-reload-document')).toBe('true');
    expect(await response.text()).toBe('');
  },
);

test('a signed-out request under /api gets the upstream response [W10] [W15]', async () => {
  platform.on('/user', json(401, { error: 'signed out' }));
  const response = await thrownBy(requirePlatformUser(at('/API/x')));
  expect(response.status).toBe(401);
  expect(await response.json()).toEqual({ error: 'signed out' });
});

test.each([
  [403, 403],
  [429, 429],
  [400, 502],
  [404, 502],
  [500, 502],
  [503, 503],
  [302, 502],
  [304, 502],
])(
  'a page does not treat upstream status %i as signed out, and responds with %i [W15] [W33]',
  async (upstream, seen) => {
    const body = upstream === 304 ? '' : '{"error":"canary"}';
    platform.on('/user', bytes(upstream, body, { location: '/canary' }));
    const response = await thrownBy(requirePlatformUser(at('/account')));
    expect(response.status).toBe(seen);
    expect(response.headers.has('location')).toBe(false);
    expect(await response.text()).toBe('');
  },
);

test('a page responds with 502 when the platform is unreachable, and does not redirect to sign-in [W15]', async () => {
  platform.on('/user', reset);
  const response = await thrownBy(requirePlatformUser(at('/account')));
  expect(response.status).toBe(502);
});

test('pages learn only the safe profile fields, signed-out or unavailable [W20]', async () => {
  platform.on('/user', json(200, { ...ada, token: 'canary', email: 'ada@example.test' }));
  expect(userStateOf(await checkPlatformUser({}))).toEqual({
    status: 'signed-in',
    profile: {
      key: expect.any(String) as string,
      displayName: 'Ada',
      credits: null,
      plan: null,
      email: 'ada@example.test',
    },
  });
  platform.on('/user', json(401, { error: 'canary' }));
  expect(userStateOf(await checkPlatformUser({}))).toEqual({ status: 'signed-out' });
  for (const status of [302, 403, 500, 503]) {
    platform.on('/user', json(status, { error: 'canary' }));
    expect(userStateOf(await checkPlatformUser({}))).toEqual({ status: 'unavailable' });
  }
});
