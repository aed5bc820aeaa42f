/** What the listener rejects or lets through before a route runs. */
import { expect, test, vi } from 'vitest';
import { inert, ours, startListeningSite } from '../testing/listening-site.ts';
import { defaultBodyLimit } from '../route.ts';

vi.mock('../log.ts', () => import('../testing/log-double.ts'));

const { relayed, doubles, send } = await startListeningSite();

test.each(['POST', 'PUT', 'PATCH', 'DELETE'])(
  'a cross-site %s is 403, and reaches no route [W19]',
  async (method) => {
    for (const headers of [
      {},
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site', origin: 'https://site.example' },
      { 'sec-fetch-site': 'none' },
      { origin: 'null' },
      { origin: 'https://sibling.example' },
      { origin: 'https://evil.test', 'x-forwarded-host': 'evil.test', host: 'evil.test' },
    ]) {
      const response = await send('/page', { method, headers, body: 'prompt=a' });
      expect(response).toMatchObject({ status: 403, body: '{"error":"cross_site_request"}' });
      expect(response.headers['cache-control']).toBe('no-store');
      expect(response.headers['x-request-id']).toMatch(/^[\da-f-]{36}$/);
    }
    expect(doubles.seen).toHaveLength(0);
    for (const headers of [ours, { origin: 'https://site.example' }]) {
      expect((await send('/page', { method, headers, body: 'prompt=a' })).status).toBe(200);
    }
    expect(doubles.seen.map(({ body }) => body)).toEqual(['prompt=a', 'prompt=a']);
  },
);

test.each(['/page?index', '/api/pictures', '/page.data', '/account?_data=x', '/unknown'])(
  'a cross-site post to %s reaches no route',
  async (target) => {
    const response = await send(target, { method: 'POST', headers: { origin: 'null' }, body: 'x' });
    expect([400, 403]).toContain(response.status);
    expect(doubles.seen).toHaveLength(0);
  },
);

test('a POST that passed the checks is not rejected again for its Origin', async () => {
  // A sandboxed frame's own page has the origin `null`, and a proxy may have rewritten Host.
  const headers = { ...ours, origin: 'null', host: '10.0.0.7' };
  await send('/page', { method: 'POST', headers, body: 'prompt=a' });
  expect(doubles.seen[0]?.request.headers.get('origin')).toBe('https://site.example');
  expect(doubles.seen[0]?.request.headers.get('host')).toBe('site.example');
});

test.each(['OPTIONS', 'TRACE', 'PROPFIND'])(
  '%s is 405 with the allowed methods',
  async (method) => {
    const response = await send('/page', { method, headers: ours });
    expect(response.status).toBe(405);
    expect(response.headers.allow).toContain('GET');
    expect(doubles.seen).toHaveLength(0);
  },
);

test('a POST to /api/user reaches its route, which responds with 405', async () => {
  await send('/api/user', { method: 'POST', headers: ours, body: 'x' });
  expect(doubles.seen.map(({ request }) => request.method)).toEqual(['POST']);
  expect(relayed).toHaveLength(0);
});

test('a body with too large a declared length is 413 before it is read', async () => {
  const response = await send('/page', {
    method: 'POST',
    headers: ours,
    body: Buffer.alloc(defaultBodyLimit + 1),
  });
  expect(response).toMatchObject({ status: 413, body: '{"error":"body_too_large"}' });
  expect(doubles.seen).toHaveLength(0);
});

test('a chunked body that is too large is 413, and the response arrives', async () => {
  const response = await send('/page', {
    method: 'POST',
    headers: ours,
    body: Buffer.alloc(defaultBodyLimit + 1),
    chunked: true,
  });
  expect(response).toMatchObject({ status: 413, body: '{"error":"body_too_large"}' });
  expect(doubles.seen).toHaveLength(0);
});

test('a body of exactly the limit arrives completely, chunked or not', async () => {
  for (const chunked of [true, false]) {
    const body = 'x'.repeat(defaultBodyLimit);
    expect((await send('/page', { method: 'POST', headers: ours, body, chunked })).status).toBe(
      200,
    );
    expect(doubles.seen.pop()?.body).toHaveLength(defaultBodyLimit);
  }
});

test.each([
  ['//evil.test', '/evil.test'],
  ['//evil.test/%2e%2e?x=//y', '/?x=//y'],
  ['/\\evil.test', '/evil.test'],
  ['/.//evil.test', '/evil.test'],
  ['/page////////x', '/page/x'],
])('%s redirects to %s, on the site', async (target, location) => {
  const response = await send(target);
  expect(response.status).toBe(308);
  expect(response.headers.location).toBe(location);
  expect(doubles.seen).toHaveLength(0);
});

test.each(['http://evil.test/page', 'https://site.example/page', 'evil', '*', '?x'])(
  'the target %s is 400, and not echoed',
  async (target) => {
    const response = await send(target, target === '*' ? { method: 'OPTIONS' } : {});
    expect(response.status).toBe(400);
    expect(response.body).toMatch(/^\{"error":"malformed_(address|request)"\}$/);
    expect(doubles.seen).toHaveLength(0);
  },
);

test.each(['/%zz', '/%', '/%c0%ae%c0%ae/', '/%ff.data'])(
  'the malformed escape in %s is rejected before a route runs',
  async (target) => {
    expect(await send(target)).toMatchObject({
      status: 400,
      body: '{"error":"malformed_address"}',
    });
    expect(doubles.seen).toHaveLength(0);
  },
);

test.each(['/%00', '/a%0d%0aset-cookie:x=1'])(
  'the control character in %s is harmless',
  async (target) => {
    const response = await send(target);
    expect(response).toMatchObject({ status: 200, body: 'from remix' });
    expect(response.headers['set-cookie']).toBeUndefined();
  },
);

test.each([
  '/api/user.data',
  '/%61pi/user%2edata',
  '/API/User.DATA?_routes=x',
  '/api/pictures.data',
])('%s is 404: a visitor’s state has no alternative address [W03]', async (target) => {
  const response = await send(target);
  expect(response).toMatchObject({ status: 404, body: '{"error":"not_found"}' });
  expect(doubles.seen).toHaveLength(0);
  expect(relayed).toHaveLength(0);
});

test('a rejection is inert and never cached', async () => {
  expect((await send('/?_data=x')).headers).toMatchObject(inert);
});

test('it survives two hundred concurrent hostile requests', async () => {
  const targets = ['//x', '/%', '/?_data', '/api/x.data', '/..%2f', '/\u007f'];
  const statuses = await Promise.all(
    Array.from({ length: 200 }, async (_, index) => {
      const { status } = await send(targets[index % targets.length] ?? '/');
      return status;
    }),
  );
  expect(statuses.every((status) => status < 500)).toBe(true);
  expect((await send('/healthz')).status).toBe(200);
});
