import { expect, test, vi } from 'vitest';
import {
  bytes,
  drip,
  hang,
  json,
  raw,
  reset,
  startPlatformDouble,
  startUpstream,
  type Reply,
} from '../../testing/upstream-double.ts';
import { UpstreamFailure } from './failures.ts';
import { createUpstream } from './upstream.ts';

const platform = await startPlatformDouble();
const { call: callUpstream } = createUpstream(() => platform.url);

/** The failure of a call to `/user`. */
async function failureOf(call: Partial<Parameters<typeof callUpstream>[0]> = {}) {
  const error: unknown = await callUpstream({ path: '/user', ...call }).catch((e: unknown) => e);
  if (!(error instanceof UpstreamFailure)) throw new Error('the call did not fail');
  return error;
}

test('sends GET without a body or any header that identifies the visitor [W01]', async () => {
  platform.on('/user', json(200, {}));
  await callUpstream({ path: '/user' });
  const [request] = platform.requests;
  expect(request).toMatchObject({ method: 'GET', path: '/user', body: '' });
  expect(request?.headers).toEqual({ host: new URL(platform.url).host, connection: 'keep-alive' });
});

test('sends a body as JSON, without a token or cookie [W01]', async () => {
  platform.on('/generations', json(201, {}));
  await callUpstream({ method: 'POST', path: '/generations', json: { prompt: 'a fox' } });
  const [request] = platform.requests;
  expect(request).toMatchObject({ method: 'POST', body: '{"prompt":"a fox"}' });
  expect(Object.keys(request?.headers ?? {}).sort()).toEqual([
    'connection',
    'content-length',
    'content-type',
    'host',
  ]);
  expect(request?.headers['content-type']).toBe('application/json');
});

test('returns the status, content type and exact bytes of the body [W03]', async () => {
  const body = Buffer.from([0x00, 0xff, 0xfe, 0x0d, 0x0a, 0xc3, 0x28]);
  platform.on('/user', bytes(418, body, { 'content-type': 'image/x-teapot' }));
  const response = await callUpstream({ path: '/user' });
  expect(response).toMatchObject({ status: 418, contentType: 'image/x-teapot' });
  expect(Buffer.compare(response.body, body)).toBe(0);
});

test('follows no redirect [W32]', async () => {
  platform.on('/user', bytes(302, 'elsewhere', { location: '/trap' }));
  platform.on('/trap', json(200, { id: 'trapped' }));
  expect(await callUpstream({ path: '/user' })).toMatchObject({ status: 302 });
  expect(platform.to('/trap')).toHaveLength(0);
});

const unusable: [string, Reply][] = [
  ['a reset', reset],
  ['a response that is not HTTP', raw('SSH-2.0-OpenSSH_9.6\r\n')],
  ['a status above 599', raw('HTTP/1.1 600 Odd\r\ncontent-length: 2\r\n\r\nhi')],
  ['a final status below 200', raw('HTTP/1.1 199 Odd\r\ncontent-length: 2\r\n\r\nhi')],
  [
    'a protocol upgrade',
    raw('HTTP/1.1 101 Switching\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n'),
  ],
  ['a truncated body', raw('HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n{"id"', 'close')],
  ['a body reset halfway', raw('HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n{"id"', 'reset')],
  ['a broken chunk', raw('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n{}\r\n')],
  ['endless headers', raw(`HTTP/1.1 200 OK\r\nx: ${'y'.repeat(100_000)}`)],
  ['a body above the limit', bytes(200, 'x'.repeat(1024 * 1024 + 1))],
  [
    'a content type outside ASCII',
    raw('HTTP/1.1 200 OK\r\ncontent-type: \u2713\r\ncontent-length: 0\r\n\r\n'),
  ],
];

test.each(unusable)('treats %s as unavailable, 502', async (_, reply) => {
  platform.on('/user', reply);
  expect(await failureOf()).toMatchObject({ reason: 'unavailable', status: 502 });
});

test('an informational response before the final one is ignored', async () => {
  platform.on(
    '/user',
    raw('HTTP/1.1 103 Early Hints\r\n\r\nHTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}'),
  );
  expect(await callUpstream({ path: '/user' })).toMatchObject({ status: 200 });
});

test('accepts a body of exactly the limit', async () => {
  platform.on('/user', bytes(200, 'x'.repeat(1024 * 1024)));
  expect((await callUpstream({ path: '/user' })).body).toHaveLength(1024 * 1024);
});

test('stops reading an endless body at the limit', async () => {
  platform.on('/user', (response) => {
    response.writeHead(200);
    const pour = () => {
      while (!response.destroyed && response.write('x'.repeat(16_384)));
      if (!response.destroyed) response.once('drain', pour);
    };
    pour();
  });
  expect(await failureOf({ maxBytes: 50_000 })).toMatchObject({ status: 502 });
  expect(await platform.requests[0]?.ended).toBe('cut');
});

test('a refused connection is unavailable, 502', async () => {
  const gone = await startUpstream();
  await gone.close();
  const { call } = createUpstream(() => gone.url);
  await expect(call({ path: '/user' })).rejects.toMatchObject({
    reason: 'unavailable',
    status: 502,
  });
});

test.each([
  ['headers', hang],
  ['the rest of a body', drip],
])(
  'waits for %s only until the deadline, then responds with 504 and closes the connection',
  async (_, reply) => {
    platform.on('/user', reply);
    const requested = platform.next();
    expect(await failureOf({ deadline: 60 })).toMatchObject({ reason: 'timeout', status: 504 });
    expect(await (await requested).ended).toBe('cut');
  },
);

test('timely headers do not extend the deadline for the body', async () => {
  platform.on('/user', (response) => {
    response.writeHead(200);
    const timer = setInterval(() => response.write('.'), 5);
    response.once('close', () => {
      clearInterval(timer);
    });
  });
  const started = performance.now();
  expect(await failureOf({ deadline: 80 })).toMatchObject({ status: 504 });
  expect(performance.now() - started).toBeLessThan(1_000);
});

test.each([
  ['before headers', hang],
  ['in the body', drip],
])('closes the connection when the visitor disconnects %s', async (_, reply) => {
  platform.on('/user', reply);
  const visitor = new AbortController();
  const requested = platform.next();
  const failure = failureOf({ signal: visitor.signal });
  const request = await requested;
  visitor.abort();
  expect(await failure).toMatchObject({ reason: 'aborted', status: 502 });
  expect(await request.ended).toBe('cut');
});

test('no call is made for a visitor who has already disconnected', async () => {
  expect(await failureOf({ signal: AbortSignal.abort() })).toMatchObject({ reason: 'aborted' });
  expect(platform.requests).toHaveLength(0);
});

test('removes its abort listener when the call ends', async () => {
  platform.on('/user', json(200, {}));
  const { signal } = new AbortController();
  const removed = vi.spyOn(signal, 'removeEventListener');
  // Node warns from the eleventh listener on, and a warning fails this test.
  for (let call = 0; call < 20; call++) await callUpstream({ path: '/user', signal });
  expect(removed).toHaveBeenCalledTimes(20);
});

test('a failure contains nothing from the platform, and no address [W33] [W02]', async () => {
  platform.on('/user', raw('HTTP/1.1 600 canary-status\r\nx: canary-header\r\n\r\ncanary-body'));
  const { reason, message, status } = await failureOf();
  expect({ reason, message, status }).toEqual({
    reason: 'unavailable',
    message: "The platform's response is unavailable.",
    status: 502,
  });
});
