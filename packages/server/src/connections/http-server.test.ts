/** Requests that Node rejects by itself: the response is the site's, and the connection closes. */
import { once } from 'node:events';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { afterEach, expect, onTestFinished, test, vi } from 'vitest';
import { inert, ours, settings, startListeningSite } from '../testing/listening-site.ts';
import { logged } from '../testing/log-double.ts';
import { defaultBodyLimit } from '../route.ts';
import { handleRequests, createHttpServer } from './http-server.ts';

vi.mock('../log.ts', () => import('../testing/log-double.ts'));

const { relayed, server, port, doubles, send } = await startListeningSite();

/** A connection, and everything received on it. */
function open(text: string, at = port): { socket: Socket; heard: Promise<string> } {
  const socket = connect({ port: at, host: '127.0.0.1', allowHalfOpen: true });
  let heard = '';
  socket.setEncoding('utf8');
  socket.on('data', (words: string) => (heard += words));
  socket.on('end', () => socket.end());
  socket.write(text);
  return { socket, heard: once(socket, 'close').then(() => heard) };
}

function read(response: string) {
  const [head = '', body = ''] = response.split('\r\n\r\n', 2);
  const [start = '', ...fields] = head.split('\r\n');
  const headers = Object.fromEntries(
    fields.map((field) => field.split(': ', 2) as [string, string]),
  );
  return { start, headers, body };
}

afterEach(() => {
  vi.useRealTimers();
});

const connections = () =>
  new Promise<number>((resolve) => {
    server.getConnections((_, count) => {
      resolve(count);
    });
  });
const allClosed = () => expect.poll(connections).toBe(0);

test.each([
  ['not HTTP', 'canary\r\n\r\n', 400, 'malformed_request'],
  ['a broken header', 'GET / HTTP/1.1\r\nhost: x\r\ncan ary\r\n\r\n', 400, 'malformed_request'],
  [
    'two different lengths',
    'POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\nx',
    400,
    'malformed_request',
  ],
  [
    'a length and chunked encoding',
    'POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 1\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n',
    400,
    'malformed_request',
  ],
  [
    'oversized headers',
    `GET / HTTP/1.1\r\nhost: x\r\ncookie: ${'canary'.repeat(4_000)}\r\n\r\n`,
    431,
    'headers_too_large',
  ],
  ['an overlong address', `GET /${'x'.repeat(20_000)} HTTP/1.1\r\n`, 431, 'headers_too_large'],
])('%s is rejected with the standard headers [W33]', async (_, request, status, error) => {
  const { start, headers, body } = read(await open(request).heard);
  expect(start).toMatch(new RegExp(`^HTTP/1\\.1 ${status} [A-Z]`));
  expect(headers).toMatchObject({
    ...inert,
    connection: 'close',
    'content-length': String(body.length),
    'x-request-id': expect.stringMatching(/^[\da-f-]{36}$/) as string,
  });
  expect(new Date(headers['date'] ?? '').getTime()).toBeGreaterThan(Date.now() - 60_000);
  expect(JSON.parse(body)).toEqual({ error });
  expect(logged()).toMatchObject([{ status, error, requestId: headers['x-request-id'] }]);
  expect(JSON.stringify(logged())).not.toContain('canary');
  await allClosed();
});

test('a request without a host is rejected at every address', async () => {
  for (const path of ['/', '/api/user', '/favicon.svg']) {
    const { start, headers } = read(
      await open(`GET ${path} HTTP/1.1\r\nconnection: close\r\n\r\n`).heard,
    );
    expect(start).toContain(' 400 ');
    expect(headers).toMatchObject(inert);
  }
  expect(doubles.seen).toHaveLength(0);
  expect(relayed).toHaveLength(0);
});

test('an unknown expectation is 417, and the connection stays usable', async () => {
  const expected = await send('/page', { headers: { expect: 'canary' } });
  expect(expected).toMatchObject({ status: 417, body: '{"error":"unsupported_expectation"}' });
  expect(expected.headers).toMatchObject(inert);
  expect(doubles.seen).toHaveLength(0);
  const usual = { method: 'POST', headers: { ...ours, expect: '100-continue' }, body: 'prompt=a' };
  expect((await send('/page', usual)).status).toBe(200);
});

test('a client that keeps sending after the rejection can still read it, and is then disconnected', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const { socket, heard } = open('canary\r\n\r\n');
  socket.removeAllListeners('end');
  await once(socket, 'data');
  await new Promise<void>((resolve) =>
    socket.write('canary\r\n\r\n', () => {
      resolve();
    }),
  );
  expect(await connections()).toBe(1);
  vi.advanceTimersByTime(1_000);
  await allClosed();
  socket.destroy();
  expect(await heard).toMatch(/malformed_request"\}$/);
  expect(logged()).toHaveLength(1);
});

/** A POST with `connection: close`, as edges send it. */
const closing = (framing: string) =>
  `POST /page HTTP/1.1\r\nhost: x\r\nconnection: close\r\nsec-fetch-site: same-origin\r\n${framing}\r\n\r\n`;

test.each([
  ['by its declared length', `content-length: ${3 * defaultBodyLimit}`, (part: string) => part, ''],
  [
    'in chunks',
    'transfer-encoding: chunked',
    (part: string) => `${part.length.toString(16)}\r\n${part}\r\n`,
    '0\r\n\r\n',
  ],
])(
  'a client that keeps sending a body too large %s receives the rejection',
  async (_, framing, framed, last) => {
    const { socket, heard } = open(closing(framing));
    const third = framed('x'.repeat(defaultBodyLimit));
    socket.write(third + third);
    await once(socket, 'data');
    socket.write(third + last);
    const response = read(await heard);
    expect(response.start).toBe('HTTP/1.1 413 Payload Too Large');
    expect(response.body).toBe('{"error":"body_too_large"}');
    expect(doubles.seen).toHaveLength(0);
    expect(logged()).toMatchObject([{ msg: 'request', status: 413 }]);
  },
);

test('a rejected client that stops sending is disconnected after a while', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const { socket, heard } = open(closing(`content-length: ${3 * defaultBodyLimit}`));
  await once(socket, 'data');
  expect(await connections()).toBe(1);
  vi.advanceTimersByTime(1_000);
  expect(await heard).toMatch(/body_too_large"\}$/);
  await allClosed();
  expect(vi.getTimerCount()).toBe(0);

  const { socket: leaving } = open(closing(`content-length: ${3 * defaultBodyLimit}`));
  await once(leaving, 'data');
  leaving.destroy();
  await allClosed();
  expect(vi.getTimerCount()).toBe(0);
  expect(logged()).toMatchObject([{ status: 413 }, { status: 413 }]);
});

test.each([
  ['sends HEAD', 'HEAD /?_data=a HTTP/1.1\r\nhost: x\r\ncontent-length: 1\r\n\r\n', 400],
  [
    'continues with malformed data',
    'POST / HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\ncanary\r\n',
    403,
  ],
])('a rejected client that %s gets its response immediately', async (_, text, status) => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const { socket, heard } = open(text);
  await Promise.race([once(socket, 'data'), heard]);
  socket.destroy();
  expect(await heard).toContain(`HTTP/1.1 ${status} `);
  await expect.poll(() => logged()).toMatchObject([{ msg: 'request', status }]);
});

test('nothing is written into a response that has begun', async () => {
  let begun = (): void => undefined;
  const first = new Promise<void>((resolve) => (begun = resolve));
  doubles.remix = () =>
    Promise.resolve(
      new Response(
        new ReadableStream({
          start(controller) {
            controller.enqueue(new TextEncoder().encode('first half'));
          },
        }),
      ),
    );
  const { socket, heard } = open('GET /page HTTP/1.1\r\nhost: x\r\n\r\n');
  socket.once('data', () => {
    begun();
  });
  await first;
  socket.write('canary\r\n\r\n');
  expect(await heard).not.toMatch(/malformed_request|HTTP\/1\.1 400/);
  await allClosed();
});

test('a connection that breaks is not logged as a request', async () => {
  const { socket } = open('GET / HTTP/1.1\r\nhost');
  await expect.poll(connections).toBe(1);
  socket.resetAndDestroy();
  await allClosed();
  expect(logged()).toEqual([]);
});

test('a client that does not read its response is disconnected; one that waits for it is not', async () => {
  server.setTimeout(200);
  onTestFinished(() => void server.setTimeout(60_000));
  doubles.remix = () => Promise.resolve(new Response(Buffer.alloc(48 * 1024 * 1024)));
  const stalled = connect(port, '127.0.0.1').pause();
  onTestFinished(() => void stalled.destroy());
  stalled.write('GET /page HTTP/1.1\r\nhost: x\r\n\r\n');
  await expect.poll(() => logged()).toMatchObject([{ msg: 'request', status: 'aborted' }]);

  let respond: (response: Response) => void = () => undefined;
  doubles.remix = () => new Promise((resolve) => (respond = resolve));
  const { socket, heard } = open('GET /page HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n');
  const [connection] = (await once(server, 'timeout')) as [Socket];
  expect(connection.destroyed).toBe(false);
  respond(new Response('at last'));
  expect(await heard).toContain('at last');
  socket.destroy();
});

test('headers that are incomplete after 20 seconds are rejected, even if they keep trickling in', async () => {
  const slow = createHttpServer(settings);
  expect(slow).toMatchObject({ headersTimeout: 20_000, requestTimeout: 0 });
  // Node's timer cannot be mocked, so this uses the same server with shorter timeouts.
  Object.assign(slow, { headersTimeout: 100, connectionsCheckingInterval: 20 });
  handleRequests(slow, (_request, response) => void response.end('answered'));
  await new Promise<void>((resolve) => slow.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void slow.close());
  const socket = connect((slow.address() as AddressInfo).port, '127.0.0.1');
  let heard = '';
  socket.setEncoding('utf8').on('data', (text: string) => (heard += text));
  socket.write('GET / HTTP/1.1\r\nhost: x\r\n');
  const trickle = setInterval(() => socket.write('x: y\r\n'), 20);
  await once(socket, 'data');
  clearInterval(trickle);
  await once(socket, 'close');
  expect(read(heard)).toMatchObject({
    start: 'HTTP/1.1 408 Request Timeout',
    headers: { ...inert, connection: 'close' },
    body: '{"error":"request_timeout"}',
  });
  expect(logged()).toMatchObject([{ status: 408, reason: 'ERR_HTTP_REQUEST_TIMEOUT' }]);
});

test('connections beyond MAX_CONNECTIONS are closed and logged', async () => {
  const small = createHttpServer({ ...settings, maxConnections: 2 });
  handleRequests(small, (_, response) => response.end('answered'));
  await once(small.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => void small.close());
  const { port } = small.address() as AddressInfo;
  const request = 'GET / HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n';
  const kept = [open('', port), open('', port)];
  await Promise.all(kept.map(({ socket }) => once(socket, 'connect')));
  expect(await open('', port).heard).toBe('');
  expect(logged()).toMatchObject([{ msg: 'too many connections' }]);
  for (const { socket } of kept) socket.end();
  await Promise.all(kept.map(({ heard }) => heard));
  expect(await open(request, port).heard).toMatch(/answered$/);
});
