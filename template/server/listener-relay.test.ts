/** `GET /api/user`, answered before Remix. */
import { connect } from 'node:net';
import { expect, test, vi } from 'vitest';
import { startListeningSite } from './listening-site';
import { logged } from '@gatehouse/server/testing/log-double';
import {
  bytes,
  hang,
  json,
  raw,
  type Reply,
  reset,
} from '@gatehouse/platform/testing/upstream-double';

vi.mock('@gatehouse/server/log', () => import('@gatehouse/server/testing/log-double'));

const { platform, port, doubles, send } = await startListeningSite();

test('the relay passes on the platform’s status, type and bytes, uncacheable [W03] [W04]', async () => {
  platform.on('/user', bytes(418, '{ "id" :1}', { 'content-type': 'application/json;x=1' }));
  const response = await send('/api/user');
  expect(response).toMatchObject({ status: 418, body: '{ "id" :1}' });
  expect(response.headers).toMatchObject({
    'content-type': 'application/json;x=1',
    'cache-control': 'no-store',
    'content-length': '10',
    'x-content-type-options': 'nosniff',
  });
  expect(doubles.seen).toHaveLength(0);
});

test('the relay changes no byte, whatever the encoding [W03]', async () => {
  const everyByte = Buffer.from([...Array(256).keys()].flatMap((byte) => [byte, 0xe2, 0x9c, 0x93]));
  platform.on('/user', bytes(200, everyByte, { 'content-type': 'application/json' }));
  const response = await fetch(`http://127.0.0.1:${port}/api/user`);
  expect(Buffer.from(await response.arrayBuffer())).toEqual(everyByte);
});

test('relayed HTML keeps its type and is sandboxed [W03] [W33]', async () => {
  platform.on('/user', bytes(200, '<script>alert(1)</script>', { 'content-type': 'text/html' }));
  const { headers } = await send('/api/user');
  expect(headers['content-type']).toBe('text/html');
  expect(headers['x-content-type-options']).toBe('nosniff');
  expect(headers['content-security-policy']).toMatch(/^default-src 'none'; sandbox;/);
});

test.each(['/api/user?x=1', '/api/user/', '/API/User', '/%61pi/user', '/api/./user', '/api/user?'])(
  '%s gets the same response as /api/user [W03] [W32]',
  async (target) => {
    for (const status of [200, 302, 308, 401, 503]) {
      platform.on('/user', bytes(status, '{}', { location: '/canary' }));
      const [plain, spelled] = [await send('/api/user'), await send(target)];
      for (const { headers } of [plain, spelled]) delete headers['x-request-id'];
      for (const { headers } of [plain, spelled]) delete headers.date;
      expect(spelled).toEqual(plain);
      expect(spelled.status).toBe(status);
    }
    expect(doubles.seen).toHaveLength(0);
  },
);

test('a request with a body still gets the relay’s response, and its connection closes', async () => {
  platform.on('/user', json(401, {}));
  const response = await send('/api/user', { body: 'x'.repeat(100_000) });
  expect(response.status).toBe(401);
  expect(response.headers.connection).toBe('close');
});

test.each([204, 205, 304])('the relay passes on status %i without a body [W03]', async (status) => {
  platform.on('/user', bytes(status, ''));
  expect(await send('/api/user')).toMatchObject({ status, body: '' });
});

test('the relay responds to HEAD like GET, without the body', async () => {
  platform.on('/user', json(401, { error: 'signed out' }));
  const response = await send('/api/user', { method: 'HEAD' });
  expect(response).toMatchObject({ status: 401, body: '' });
  expect(response.headers['content-length']).toBe('22');
  expect(platform.requests[0]?.method).toBe('GET');
});

test.each<[string, Reply, number]>([
  ['a reset', reset, 502],
  ['a broken body', raw('HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\ncanary'), 502],
  ['an odd status', raw('HTTP/1.1 999 canary\r\ncontent-length: 6\r\n\r\ncanary'), 502],
  [
    'a type that no server can write',
    raw('HTTP/1.1 200 OK\r\ncontent-type: \u2713canary\r\n\r\n{}'),
    502,
  ],
  ['a hostile redirect', bytes(302, '', { location: 'http://canary.internal/' }), 302],
  ['an error that leaks', bytes(500, '', { 'x-debug': 'canary', 'set-cookie': 'a=canary' }), 500],
])('%s reveals nothing of the platform to the browser [W02] [W33]', async (_, reply, status) => {
  platform.on('/user', reply);
  const response = await send('/api/user');
  expect(response.status).toBe(status);
  expect(JSON.stringify(response)).not.toMatch(/canary|127\.0\.0\.1/);
  expect(JSON.stringify(response)).not.toContain(new URL(platform.url).port);
});

test('the relay’s call is aborted when the visitor disconnects', async () => {
  platform.on('/user', hang);
  const requested = platform.next();
  const visitor = connect(port, '127.0.0.1');
  visitor.write('GET /api/user HTTP/1.1\r\nhost: x\r\n\r\n');
  const request = await requested;
  visitor.destroy();
  expect(await request.ended).toBe('cut');
});

test('a pipelined request waits for the response before it, and is dropped when the visitor disconnects', async () => {
  platform.on('/user', hang);
  const requested = platform.next();
  const visitor = connect(port, '127.0.0.1');
  visitor.write('GET /api/user HTTP/1.1\r\nhost: x\r\n\r\n'.repeat(3));
  const request = await requested;
  visitor.destroy();
  expect(await request.ended).toBe('cut');
  platform.on('/user', json(200, {}));
  await send('/api/user');
  expect(platform.requests).toHaveLength(2);
});

test('the relay’s expected statuses are logged at debug level, others always', async () => {
  for (const status of [200, 401, 503]) {
    platform.on('/user', json(status, {}));
    await send('/api/user');
  }
  await expect
    .poll(() => logged())
    .toMatchObject([
      { status: 200, level: 20 },
      { status: 401, level: 20 },
      { status: 503, level: 30 },
    ]);
});
