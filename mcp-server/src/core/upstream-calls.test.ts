import type { ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import { afterAll, afterEach, expect, test, vi } from 'vitest';
import { z } from 'zod';
import {
  bytes,
  drip,
  endless,
  hang,
  json,
  raw,
  refusingUrl,
  reset,
  startUpstreamDouble,
  type Reply,
} from '../../test/upstream-double.ts';
import { createCredentials } from './credentials.ts';
import { path } from './endpoint.ts';
import { errorText } from './errors.ts';
import {
  createUpstream,
  shaped,
  upstreamMilliseconds,
  type RequestOptions,
  type Upstream,
  type UpstreamOptions,
} from './upstream.ts';

const service = await startUpstreamDouble();
const opened: Upstream[] = [];
const local = { id: 'local' };

afterEach(() => Promise.all(opened.splice(0).map((upstream) => upstream.close())));
afterAll(() => service.close());

/** Attempts are not waited for: what would have been waited is in `waits`. */
function open(options: Partial<UpstreamOptions> = {}) {
  const waits: number[] = [];
  const wait = (milliseconds: number) => {
    waits.push(milliseconds);
    return Promise.resolve();
  };
  const upstream = createUpstream({ baseUrl: service.url, retry: { wait }, ...options });
  opened.push(upstream);
  const call = (request: RequestOptions = {}, signal = new AbortController().signal) =>
    upstream.request(path`/things`, request, { signal, caller: local });
  return { upstream, call, waits };
}

function failureOf(call: Promise<unknown>): Promise<unknown> {
  return call.then(
    () => {
      throw new Error('the call did not fail');
    },
    (error: unknown) => error,
  );
}

const unexpected = (name: string) => `Error: Unexpected error occurred: ${name}`;

test('asks with GET by default and gives the parsed JSON [M18]', async () => {
  service.reply(json({ a: [1, 'é'] }));
  expect(await open().call()).toEqual({ a: [1, 'é'] });
  const [request] = service.requests;
  expect(request).toMatchObject({ method: 'GET', url: '/things', body: '' });
  expect(request?.headers).toEqual({
    host: new URL(service.url).host,
    connection: 'keep-alive',
    accept: 'application/json',
  });
});

test('sends method, query and body below the base URL’s own path [M18]', async () => {
  service.reply(json({}));
  const { call } = open({ baseUrl: `${service.url}/api/v1/`, headers: { 'user-agent': 'x_mcp' } });
  const query = { q: 'a&b=é ?', none: undefined, limit: 20, exact: true };
  await call({ method: 'PATCH', query, body: { name: 'Ann' } });
  const [request] = service.requests;
  expect(request).toMatchObject({ method: 'PATCH', body: '{"name":"Ann"}' });
  expect(request?.url).toBe('/api/v1/things?q=a%26b%3D%C3%A9+%3F&limit=20&exact=true');
  expect(request?.headers).toMatchObject({
    'content-type': 'application/json',
    'user-agent': 'x_mcp',
  });
});

test('the credential is the caller’s own, else the environment’s [M31]', async () => {
  service.reply(json({}));
  const credentials = createCredentials('from-environment');
  credentials.store({ id: 'ann' }, 'from-ann');
  const { upstream } = open({ credentials });
  for (const id of ['ann', 'bob']) {
    const { signal } = new AbortController();
    await upstream.request(path`/me`, {}, { signal, caller: { id } });
  }
  expect(service.requests.map(({ headers }) => headers.authorization)).toEqual([
    'Bearer from-ann',
    'Bearer from-environment',
  ]);
});

const statuses: [number, string][] = [
  [401, 'Error: Invalid API authentication'],
  [403, "Error: Permission denied. You don't have access to this resource."],
  [404, 'Error: Resource not found. Please check the ID is correct.'],
  [429, 'Error: Rate limit exceeded. Please wait before making more requests.'],
  ...[300, 302, 304, 400, 409, 418, 500, 503, 599].map((status): [number, string] => [
    status,
    `Error: API request failed with status ${status}`,
  ]),
];

test.each(statuses)('status %i fails: %s [M18 M32 M33]', async (status, text) => {
  service.reply(json({ error: 'the upstream’s own words' }, status, { location: '/trap' }));
  expect(errorText(await failureOf(open().call()))).toBe(text);
  // No redirect was followed, and nothing was sent again.
  expect(service.requests).toHaveLength(1);
});

const faults: [string, Reply, string][] = [
  ['a reset', reset, 'UpstreamConnectionError'],
  ['no HTTP at all', raw('SSH-2.0-OpenSSH_9.6\r\n'), 'UpstreamResponseError'],
  [
    'a body cut short',
    raw('HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n{"id"'),
    'UpstreamConnectionError',
  ],
  [
    'a body reset halfway',
    raw('HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n{"id"', 'reset'),
    'UpstreamConnectionError',
  ],
  [
    'chunks cut short',
    raw('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n4\r\n{"id\r\n'),
    'UpstreamConnectionError',
  ],
  [
    'headers without end',
    raw(`HTTP/1.1 200 OK\r\nx: ${'y'.repeat(100_000)}`),
    'UpstreamResponseError',
  ],
  ['not JSON', bytes('<h1>Welcome</h1>', 200), 'UpstreamResponseError'],
  ['JSON cut short', bytes('{"users":['), 'UpstreamResponseError'],
  ['an empty body', bytes(''), 'UpstreamResponseError'],
  [
    'a compressed body that nobody asked for',
    bytes(gzipSync('{}'), 200, { 'content-encoding': 'gzip' }),
    'UpstreamResponseError',
  ],
  ['a huge body', json('x'.repeat(2_000)), 'UpstreamResponseError'],
  ['a body without end', endless(), 'UpstreamResponseError'],
];

test.each(faults)('%s is a failure of its own [M18 M33]', async (_, reply, name) => {
  service.reply(reply);
  const failure = await failureOf(open({ maxBytes: 1_000 }).call());
  expect(errorText(failure)).toBe(unexpected(name));
  expect(service.requests).toHaveLength(1);
});

test('a body of exactly the bound is read, and JSON counts whatever its content type says', async () => {
  service.reply(bytes(JSON.stringify('x'.repeat(998)), 200, { 'content-type': 'text/html' }));
  expect(await open({ maxBytes: 1_000 }).call()).toHaveLength(998);
});

test('204 and 205 have nothing to parse', async () => {
  service.reply(bytes('', 204), bytes('', 205));
  const { call } = open();
  expect([await call({ method: 'DELETE' }), await call()]).toEqual([undefined, undefined]);
});

test('a failed connection stays on no later call', async () => {
  service.reply(reset, json('back'));
  const { call } = open();
  await failureOf(call());
  expect(await call()).toBe('back');
});

const slow: [string, Reply][] = [
  ['headers that never come', hang],
  ['a body that drips', drip],
  [
    'the first half of a body',
    (response) => {
      response.writeHead(200, { 'content-length': '100' });
      response.write('{');
    },
  ],
];

test.each(slow)('the deadline is over %s, and ends the connection [M18 M32]', async (_, reply) => {
  service.reply(reply);
  const asked = service.next();
  const failure = await failureOf(open({ timeoutMs: 300 }).call());
  expect(errorText(failure)).toBe('Error: Request timed out. Please try again.');
  await (
    await asked
  ).cut;
});

test('the deadline is 30 seconds unless told otherwise [M18 M34]', async () => {
  const timers = vi.spyOn(globalThis, 'setTimeout');
  service.reply(json({}));
  await open().call();
  expect(timers.mock.calls.map(([, milliseconds]) => milliseconds)).toContain(30_000);
});

test('a caller who goes away ends the upstream call, with the caller’s reason', async () => {
  service.reply(hang);
  const leaving = new AbortController();
  const reason = new Error('gone');
  const asked = service.next();
  const failure = failureOf(open().call({}, leaving.signal));
  const { cut } = await asked;
  leaving.abort(reason);
  expect(await failure).toBe(reason);
  await cut;
});

test('a caller who is gone already asks nothing', async () => {
  service.reply(json({}));
  const reason = new Error('gone');
  expect(await failureOf(open().call({}, AbortSignal.abort(reason)))).toBe(reason);
  expect(service.requests).toHaveLength(0);
});

test('no more calls than the cap are under way', async () => {
  const held: ServerResponse[] = [];
  let arrived: () => void = () => undefined;
  service.reply((response, { url }) => {
    if (url === '/') return response.end();
    held.push(response);
    arrived();
  });
  const { call, upstream } = open({ concurrency: 3 });
  const calls = Array.from({ length: 7 }, () => call());
  for (const expected of [3, 3, 1]) {
    while (held.length < expected) await new Promise<void>((resolve) => (arrived = resolve));
    // A whole round trip later no other has come.
    await upstream.isReachable(new AbortController().signal);
    expect(held).toHaveLength(expected);
    for (const response of held.splice(0)) response.end('{}');
  }
  await Promise.all(calls);
});

test('waiting for a turn counts against the deadline', async () => {
  service.reply(hang);
  const { call } = open({ concurrency: 1, timeoutMs: 300 });
  const texts = [call(), call()].map(async (one) => errorText(await failureOf(one)));
  const timedOut = 'Error: Request timed out. Please try again.';
  expect(await Promise.all(texts)).toEqual([timedOut, timedOut]);
  // The second one's turn came when nobody waited for it any more.
  expect(service.requests).toHaveLength(1);
});

test('who goes away while waiting leaves the queue, and keeps nobody from a turn', async () => {
  const held: (() => void)[] = [];
  service.reply((response) => held.push(() => response.end('"first"')), json('third'));
  const { call } = open({ concurrency: 1 });
  const leaving = new AbortController();
  const asked = service.next();
  const first = call();
  const second = failureOf(call({}, leaving.signal));
  const third = call();
  await asked;
  leaving.abort(new Error('gone'));
  expect(await second).toMatchObject({ message: 'gone' });
  for (const answer of held) answer();
  expect(await Promise.all([first, third])).toEqual(['first', 'third']);
  expect(service.requests).toHaveLength(2);
});

test.each([429, 503])('%i with Retry-After is asked again, after that long', async (status) => {
  const inSeconds = json({}, status, { 'retry-after': '2' });
  const date = new Date(Date.now() + 9_000).toUTCString();
  service.reply(inSeconds, json({}, status, { 'retry-after': date }), json('at last'));
  const { call, waits } = open();
  expect(await call()).toBe('at last');
  const [seconds = 0, untilDate = 0] = waits;
  expect(seconds).toBeGreaterThanOrEqual(2_000);
  expect(seconds).toBeLessThan(2_200);
  expect(untilDate).toBeGreaterThan(7_000);
  expect(untilDate).toBeLessThan(9_300);
});

test('waits for real before it asks again', async () => {
  const at: number[] = [];
  service.reply(
    (response) => {
      at.push(performance.now());
      response.writeHead(503, { 'retry-after': '0' }).end();
    },
    (response) => {
      at.push(performance.now());
      response.end('{}');
    },
  );
  vi.spyOn(Math, 'random').mockReturnValue(0.9);
  await open({ retry: {} }).call();
  const [first = 0, second = 0] = at;
  expect(second - first).toBeGreaterThan(80);
});

test('a call is sent three times at most, and its last failure is the answer', async () => {
  service.reply(json({}, 503, { 'retry-after': '1' }));
  const { call, waits } = open();
  expect(await failureOf(call())).toMatchObject({ status: 503 });
  expect([service.requests.length, waits.length]).toEqual([3, 2]);
});

test.each([
  ['without Retry-After', undefined, {}],
  ['when the deadline comes first', '30', {}],
  ['when Retry-After cannot be read', 'soon', {}],
  ['for a POST', '1', { method: 'POST' }],
  ['for a PATCH', '1', { method: 'PATCH' }],
] as const)('429 is final %s', async (_, retryAfter, request) => {
  service.reply(json({}, 429, retryAfter === undefined ? {} : { 'retry-after': retryAfter }));
  expect(await failureOf(open().call(request))).toMatchObject({ status: 429 });
  expect(service.requests).toHaveLength(1);
});

test('an idempotency key makes a POST safe to send again, the same each time', async () => {
  service.reply(json({}, 503, { 'retry-after': '1' }), json('made', 201));
  const { call } = open();
  expect(await call({ method: 'POST', body: {}, idempotencyKey: 'k-1' })).toBe('made');
  expect(service.requests.map(({ headers }) => headers['idempotency-key'])).toEqual(['k-1', 'k-1']);
});

test('a refused connection is tried again, and then is a failure of its own [M33]', async () => {
  const { call, waits } = open({ baseUrl: await refusingUrl() });
  expect(errorText(await failureOf(call()))).toBe(unexpected('UpstreamConnectionError'));
  expect(waits).toHaveLength(2);
  waits.length = 0;
  await failureOf(call({ method: 'POST' }));
  expect(waits).toHaveLength(0);
});

test('a wait before another attempt ends with the caller', async () => {
  const leaving = new AbortController();
  service.reply(json({}, 503, { 'retry-after': '20' }));
  const wait = () => {
    leaving.abort(new Error('gone'));
    return new Promise<void>(() => undefined);
  };
  const { call } = open({ retry: { wait } });
  expect(await failureOf(call({}, leaving.signal))).toMatchObject({ message: 'gone' });
});

test('an error answer without end holds neither the call nor its connection', async () => {
  service.reply(endless(500));
  const asked = service.next();
  expect(await failureOf(open().call())).toMatchObject({ status: 500 });
  await (
    await asked
  ).cut;
});

test('knows whether the service can be reached', async () => {
  const { signal } = new AbortController();
  const reachable = (options?: Partial<UpstreamOptions>) =>
    open(options).upstream.isReachable(signal);
  service.reply(json({}, 401));
  expect(await reachable()).toBe(true);
  service.reply(json({}, 502));
  expect(await reachable()).toBe(false);
  service.reply(hang);
  expect(await reachable({ timeoutMs: 50 })).toBe(false);
  expect(await reachable({ baseUrl: await refusingUrl() })).toBe(false);
});

test('a service whose every turn is taken can be reached still', async () => {
  service.reply(hang, json({}));
  const { upstream, call } = open({ concurrency: 1 });
  const asked = service.next();
  const held = failureOf(call());
  await asked;
  expect(await upstream.isReachable(new AbortController().signal)).toBe(true);
  await upstream.close();
  await held;
});

test('closing ends what is under way', async () => {
  service.reply(hang);
  const { upstream, call } = open();
  const asked = service.next();
  const failure = failureOf(call());
  await asked;
  await upstream.close();
  expect(errorText(await failure)).toBe(unexpected('UpstreamConnectionError'));
  expect(errorText(await failureOf(call()))).toBe(unexpected('UpstreamConnectionError'));
});

test('a header that cannot be sent is our mistake, and says nothing of the secret', async () => {
  const credentials = createCredentials('planted\nsecret');
  const failure = await failureOf(open({ credentials }).call());
  expect(errorText(failure)).toBe(unexpected('InvalidArgumentError'));
});

test('an answer of another shape is a failure; fields nobody asked for are left out', () => {
  const shape = z.object({ id: z.string() });
  expect(shaped(shape, { id: 'a', password: 'p' })).toEqual({ id: 'a' });
  expect(() => shaped(shape, { id: 7, planted: 'words' })).toThrow(
    expect.objectContaining({ name: 'UpstreamResponseError', cause: 'invalid_type' }),
  );
});

test('the time spent on the upstream is known by the call’s signal', async () => {
  service.reply(json({}));
  const { signal } = new AbortController();
  expect(upstreamMilliseconds(signal)).toBe(0);
  const { call } = open();
  await call({}, signal);
  const once = upstreamMilliseconds(signal);
  await call({}, signal);
  expect(once).toBeGreaterThan(0);
  expect(upstreamMilliseconds(signal)).toBeGreaterThan(once);
});
