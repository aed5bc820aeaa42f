/**
 * The studio's routes run the guard first, stop when it fails, and reveal no more than they may.
 */
import { expect, test } from 'vitest';
import { toSafeProfile } from '@gatehouse/platform';
import { ada, signedOutBody, visible } from '~/testing/platform/platform-with-ada';
import { startStudioOnPlatform } from '~/testing/studio/studio-on-platform';
import { done } from '~/testing/studio/generation-data';
import { bytes, json, type Reply, reset } from '@gatehouse/platform/testing/upstream-double';
import { post, postJson, type RouteRequest } from '~/testing/whole-site';

const { platform, site, signIn, signOut } = await startStudioOnPlatform();

const requested = () => platform.requests.map(({ method, path }) => `${method} ${path}`);

const account = toSafeProfile(ada).key;

const resources: RouteRequest[] = [
  ['/api/generations'],
  ['/api/generations?cursor=c2'],
  ['/api/generations/g1'],
  ['/api/generations/g1/output.png'],
  [
    `/api/generations?account=${account}`,
    postJson({ prompts: ['a fox'] }, { 'idempotency-key': 'a-key-of-a-test' }),
  ],
];

const pages: RouteRequest[] = [
  ['/studio'],
  ['/studio?cursor=c2'],
  ['/studio', post({ prompt: 'a fox' })],
  ['/studio.data'],
  ['/studio.data?_routes=studio%2Froutes%2Fstudio'],
  ['/studio.data', post({ prompt: 'a fox' })],
];

test.each([...resources, ...pages])(
  'signed out, %s runs the guard once, and does nothing else [W09] [W13] [W19]',
  async (path, init) => {
    signIn();
    signOut();
    await (await site.send(path, init)).text();
    expect(requested()).toEqual(['GET /user']);
  },
);

test.each([...resources, ...pages])(
  'with the platform unavailable, %s does nothing else either [W09] [W19]',
  async (path, init) => {
    for (const reply of [json(503, {}), json(302, {}), reset]) {
      platform.forget();
      signIn();
      platform.on('/user', reply);
      await (await site.send(path, init)).text();
      // A GET on a reset connection is retried once.
      expect(requested()).toEqual(reply === reset ? ['GET /user', 'GET /user'] : ['GET /user']);
    }
  },
);

test.each([...resources, ...pages])(
  'signed in, %s runs the guard first, and once [W09]',
  async (path, init) => {
    signIn();
    await (await site.send(path, init)).text();
    expect(requested()[0]).toBe('GET /user');
    expect(platform.to('/user')).toHaveLength(1);
  },
);

test.each(resources)(
  'signed out, %s answers with the platform’s response [W10]',
  async (path, init) => {
    signOut();
    const response = await site.send(path, init);
    expect(response.status).toBe(401);
    expect(response.headers.get('content-type')).toBe('application/json');
    expect(await response.json()).toEqual(signedOutBody);
  },
);

test.each([300, 403, 404, 429, 500, 503])(
  'a guard that fails with %i is every resource’s response [W10] [W32]',
  async (status) => {
    for (const [path, init] of resources) {
      platform.on('/user', json(status, { reported: status }));
      const response = await site.send(path, init);
      expect([path, response.status, await response.text()]).toEqual([
        path,
        status,
        `{"reported":${status}}`,
      ]);
    }
  },
);

test('a failed guard without JSON is answered with null [W10]', async () => {
  platform.on('/user', bytes(401, '<p>canary</p>', { 'content-type': 'text/html' }));
  const response = await site.send('/api/generations');
  expect(response.headers.get('content-type')).toBe('application/json');
  expect(await response.text()).toBe('null');
});

test('a guard’s deeply nested body, and a redirect, are answered as failures [W10]', async () => {
  platform.on('/user', bytes(403, '['.repeat(150_000) + ']'.repeat(150_000), {}));
  expect((await site.send('/api/generations')).status).toBe(403);
  platform.on('/user', bytes(302, '{}', { location: 'https://evil.test/' }));
  const redirected = await site.send('/api/generations');
  expect([redirected.status, redirected.headers.get('location')]).toEqual([502, null]);
});

test('a profile’s other fields reach neither pages nor their data [W20]', async () => {
  signIn();
  platform.on('/user', json(200, { ...ada, token: 'canary', internal: { host: 'canary' } }));
  platform.on('/generations', json(200, { items: [{ ...done, cost: 'canary' }], debug: 'canary' }));
  for (const path of ['/studio', '/studio.data', '/api/generations']) {
    const response = await site.send(path);
    expect(response.status).toBe(200);
    expect(await visible(response)).not.toContain('canary');
  }
});

test('a page renders hostile text as text [W33]', async () => {
  const hostile = '</script><script>alert(1)</script><img src=x onerror=alert(1)>';
  signIn();
  platform.on('/user', json(200, { id: 'u1', name: hostile }));
  platform.on('/generations', json(200, { items: [{ ...done, prompt: hostile }] }));
  for (const path of ['/', '/studio', '/account']) {
    const page = await (await site.send(path)).text();
    expect(page).not.toContain('<script>alert');
    expect(page).not.toContain('<img src=x');
  }
});

const canary = { error: 'canary', message: 'canary', stack: 'canary', path: '/canary' };

const leaks: [string, Reply, number][] = [
  ['401', json(401, canary, { 'www-authenticate': 'canary' }), 401],
  ['402', json(402, canary), 402],
  ['403', json(403, canary), 403],
  ['418', json(418, canary), 502],
  ['429', json(429, canary, { 'retry-after': 'canary' }), 429],
  ['500', json(500, canary, { 'x-trace': 'canary', 'set-cookie': 'c=canary' }), 502],
  ['503 as a page', bytes(503, '<h1>canary</h1>', { 'content-type': 'text/html' }), 502],
  ['302', bytes(302, 'canary', { location: 'http://canary.internal/' }), 502],
  ['200 with unexpected JSON', json(200, canary), 502],
  ['200 with invalid JSON', bytes(200, 'canary'), 502],
  ['a reset', reset, 502],
];

test.each(leaks)(
  'a failed operation (%s) reveals only its code to the browser [W20] [W33] [W02]',
  async (_, reply, status) => {
    for (const [path, init] of resources) {
      platform.forget();
      platform.on('/user', json(200, ada));
      platform.on('*', reply);
      const response = await site.send(path, init);
      expect([path, response.status]).toEqual([path, status]);
      expect([...response.headers.keys()].sort()).toEqual(['cache-control', 'content-type']);
      const seen = await visible(response);
      expect(seen).toMatch(/\{\\"error\\":\\"[a-z_]+\\"\}/);
      expect(seen).not.toMatch(/canary|127\.0\.0\.1|\bat \w/);
    }
  },
);

test.each(leaks)(
  'a page whose operation fails (%s) shows the site’s own message [W20] [W33] [W02]',
  async (_, reply) => {
    for (const [path, init] of pages) {
      platform.forget();
      platform.on('/user', json(200, ada));
      platform.on('*', reply);
      const seen = await visible(await site.send(path, init));
      expect(seen).not.toMatch(/canary|127\.0\.0\.1/);
    }
  },
);
