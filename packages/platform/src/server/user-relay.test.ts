import { afterEach, expect, test, vi } from 'vitest';
import { startSmallPlatform } from '../../test/small-platform.ts';
import { bytes, drip, hang, json, raw, reset, type Reply } from '../testing/upstream-double.ts';

const { platform, relayPlatformUser, userRelayResponse } = await startSmallPlatform();

afterEach(() => {
  vi.useRealTimers();
});

const address = 'https://site.example/api/user';

/** Everything in a response that a browser can see, as one string. */
async function visible(response: Response): Promise<string> {
  return JSON.stringify([response.status, [...response.headers], await response.text()]);
}

test.each([
  ['whitespace and key order', '{ "name":"Ada",\n\t"id" : 1e2 }'],
  ['characters beyond ASCII', '{"name":"Zoë 🦊 \u2028"}'],
  ['invalid JSON', 'not json {'],
  ['an empty body', ''],
])('relays the upstream body unchanged: %s [W03]', async (_, body) => {
  platform.on('/user', bytes(200, body, { 'content-type': 'application/json' }));
  const response = await userRelayResponse(new Request(address));
  expect(Buffer.from(await response.arrayBuffer()).toString()).toBe(body);
});

test('relays binary bytes [W03]', async () => {
  const body = Buffer.from([0xff, 0x00, 0xc3, 0x28, 0x80]);
  platform.on('/user', bytes(200, body, { 'content-type': 'application/octet-stream' }));
  const response = await userRelayResponse(new Request(address));
  expect(Buffer.compare(Buffer.from(await response.arrayBuffer()), body)).toBe(0);
});

test.each([200, 201, 202, 206, 299, 300, 301, 400, 401, 402, 403, 404, 418, 429, 500, 503, 599])(
  'relays status %i with its body [W03] [W32]',
  async (status) => {
    platform.on('/user', json(status, { reported: status }));
    const response = await userRelayResponse(new Request(address));
    expect(response.status).toBe(status);
    expect(await response.text()).toBe(`{"reported":${status}}`);
  },
);

test.each([204, 205, 304])('relays status %i without a body [W03]', async (status) => {
  platform.on('/user', bytes(status, '', { 'content-type': 'application/json' }));
  const response = await userRelayResponse(new Request(address));
  expect(response.status).toBe(status);
  expect(response.body).toBeNull();
});

test.each([
  ['application/json', 'application/json'],
  ['application/json; charset=UTF-8', 'application/json; charset=UTF-8'],
  ['application/problem+json;v="1"', 'application/problem+json;v="1"'],
  ['text/html', 'text/html'],
  [undefined, 'application/json'],
])('relays content type %s as %s, never cached [W03]', async (sent, seen) => {
  platform.on('/user', bytes(200, '{}', sent === undefined ? {} : { 'content-type': sent }));
  const { headers } = await relayPlatformUser();
  expect(headers).toEqual({ 'content-type': seen, 'cache-control': 'no-store' });
});

test('no other header of the platform is relayed [W03] [W33]', async () => {
  platform.on(
    '/user',
    json(
      302,
      { id: 1 },
      {
        location: 'http://canary.internal/',
        'set-cookie': ['canary=1', 'canary=2'],
        'www-authenticate': 'Bearer canary',
        'cache-control': 'public, max-age=canary',
        etag: '"canary"',
        'x-internal-trace': 'canary',
        'access-control-allow-origin': '*',
      },
    ),
  );
  const response = await userRelayResponse(new Request(address));
  expect([...response.headers.keys()].sort()).toEqual(['cache-control', 'content-type']);
  expect(await visible(response)).not.toContain('canary');
});

test('calls the platform without any header of the visitor [W01] [W04]', async () => {
  platform.on('/user', json(200, {}));
  const headers = { authorization: 'Bearer stolen', 'x-user': 'root', cookie: 'session=1' };
  await userRelayResponse(new Request(address, { headers }));
  expect(platform.requests).toHaveLength(1);
  expect(platform.requests[0]).toMatchObject({ method: 'GET', path: '/user', body: '' });
  expect(Object.keys(platform.requests[0]?.headers ?? {}).sort()).toEqual(['connection', 'host']);
});

test('responds to HEAD with the headers of GET and no body', async () => {
  platform.on('/user', json(401, { error: 'signed out' }));
  const response = await userRelayResponse(new Request(address, { method: 'HEAD' }));
  expect(response.status).toBe(401);
  expect(response.body).toBeNull();
  expect(response.headers.get('content-type')).toBe('application/json');
});

test.each(['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])(
  '%s is 405, without a call to the platform',
  async (method) => {
    const response = await userRelayResponse(new Request(address, { method }));
    expect(response.status).toBe(405);
    expect(response.headers.get('allow')).toBe('GET, HEAD');
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(platform.requests).toHaveLength(0);
  },
);

const faults: [string, Reply][] = [
  ['a reset', reset],
  ['a status above 599', raw('HTTP/1.1 600 canary\r\nx: canary\r\n\r\ncanary')],
  ['a final status below 200', raw('HTTP/1.1 150 canary\r\nx: canary\r\n\r\ncanary')],
  ['a broken body', raw('HTTP/1.1 200 OK\r\ncontent-length: 99\r\n\r\ncanary')],
  ['an oversized body', bytes(200, 'canary'.repeat(200_000))],
];

test.each(faults)(
  '%s is 502 with the site’s own body, which reveals nothing [W02] [W33]',
  async (_, reply) => {
    platform.on('/user', reply);
    const response = await userRelayResponse(new Request(address));
    expect(response.status).toBe(502);
    expect(await response.clone().json()).toEqual({ error: 'upstream_unavailable' });
    const seen = await visible(response);
    expect(seen).not.toContain('canary');
    expect(seen).not.toContain('127.0.0.1');
  },
);

test.each([
  ['does not respond', hang],
  ['stalls mid-response', drip],
])('a platform that %s for five seconds is 504', async (_, reply) => {
  platform.on('/user', reply);
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const requested = platform.next();
  const response = userRelayResponse(new Request(address));
  const request = await requested;
  await vi.advanceTimersByTimeAsync(4_999);
  expect(await Promise.race([response, Promise.resolve('waiting')])).toBe('waiting');
  await vi.advanceTimersByTimeAsync(1);
  expect((await response).status).toBe(504);
  expect(await (await response).json()).toEqual({ error: 'upstream_unavailable' });
  expect(await request.ended).toBe('cut');
});

test('the call to the platform is aborted when the visitor disconnects', async () => {
  platform.on('/user', hang);
  const visitor = new AbortController();
  const requested = platform.next();
  const response = userRelayResponse(new Request(address, { signal: visitor.signal }));
  const request = await requested;
  visitor.abort();
  expect(await request.ended).toBe('cut');
  expect((await response).status).toBe(502);
});
