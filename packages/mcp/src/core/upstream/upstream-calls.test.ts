import { expect, test, vi } from 'vitest';
import { z } from 'zod';
import { failureOf, useService } from '../../../test/doubles/open-upstream.ts';
import {
  bytes,
  drip,
  endless,
  hang,
  json,
  raw,
  reset,
  type Reply,
} from '../../testing/upstream-double.ts';
import { createCredentials } from './credentials.ts';
import { path } from './path.ts';
import { errorText } from '../result/errors.ts';
import { CallTiming } from '../context/tool-context.ts';
import { shaped } from './response/shaped.ts';

const { service, open } = useService();

const unexpected = (name: string) => `Error: Unexpected error occurred: ${name}`;

test('sends a GET by default and returns the parsed JSON [M18]', async () => {
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

test('reads JSON after a byte order mark', async () => {
  service.reply((response) => response.end('\uFEFF{"a":1}'));
  expect(await open().call()).toEqual({ a: 1 });
});

test('reads a response whose chunks split a character', async () => {
  const [first, second] = [Buffer.from('{"a":"\u00e9').subarray(0, -1), Buffer.from([0xa9])];
  service.reply((response) => {
    response.write(first);
    setImmediate(() => {
      response.write(second);
      setImmediate(() => response.end('"}'));
    });
  });
  expect(await open().call()).toEqual({ a: '\u00e9' });
});

test('sends method, query and body below the base URL’s path [M18]', async () => {
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

test('the credential is the caller’s own, otherwise the environment’s [M31]', async () => {
  service.reply(json({}));
  const credentials = createCredentials('from-environment');
  credentials.keep(credentials.receive({ id: 'ann' }, 'from-ann'));
  const { upstream } = open({ credentials });
  for (const id of ['ann', 'bob']) {
    const { signal } = new AbortController();
    await upstream.request(path`/me`, {}, { cancellation: signal, caller: { id } });
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
  // No redirect was followed, and nothing was retried.
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
    'a body of a coding that nobody asked for',
    bytes('{}', 200, { 'content-encoding': 'zstd' }),
    'UpstreamResponseError',
  ],
  ['a huge body', json('x'.repeat(2_000)), 'UpstreamResponseError'],
  ['a body without end', endless(), 'UpstreamResponseError'],
];

test.each(faults)('%s has an error type of its own [M18 M33]', async (_, reply, name) => {
  service.reply(reply);
  const failure = await failureOf(open({ maxBytes: 1_000 }).call());
  expect(errorText(failure)).toBe(unexpected(name));
  expect(service.requests).toHaveLength(1);
});

test('a body of exactly the limit is read, and JSON is parsed whatever the content type', async () => {
  service.reply(bytes(JSON.stringify('x'.repeat(998)), 200, { 'content-type': 'text/html' }));
  expect(await open({ maxBytes: 1_000 }).call()).toHaveLength(998);
});

test.each([200, 201, 202])('a write with an empty %i response succeeds', async (status) => {
  service.reply(
    bytes('', status),
    bytes(' \n', status),
    bytes('', status, { 'transfer-encoding': 'chunked' }),
  );
  const { call } = open();
  for (const method of ['POST', 'PUT', 'DELETE'] as const) {
    expect(await call({ method })).toBeUndefined();
  }
});

test('204 and 205 return undefined', async () => {
  service.reply(bytes('', 204), bytes('', 205));
  const { call } = open();
  expect([await call({ method: 'DELETE' }), await call()]).toEqual([undefined, undefined]);
});

test('a failed connection is not reused', async () => {
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

test.each(slow)('the deadline applies %s, and ends the connection [M18 M32]', async (_, reply) => {
  service.reply(reply);
  const requested = service.next();
  const failure = await failureOf(open({ timeoutMs: 300 }).call());
  expect(errorText(failure)).toBe('Error: Request timed out. Please try again.');
  await (
    await requested
  ).cut;
});

test('the deadline is 30 seconds by default [M18 M34]', async () => {
  const timers = vi.spyOn(globalThis, 'setTimeout');
  service.reply(json({}));
  await open().call();
  expect(timers.mock.calls.map(([, milliseconds]) => milliseconds)).toContain(30_000);
});

test('an invalid header is a defect of this server, and its error does not reveal the secret', async () => {
  const credentials = createCredentials('planted\nsecret');
  const failure = await failureOf(open({ credentials }).call());
  expect(errorText(failure)).toBe(unexpected('InvalidArgumentError'));
});

test('a response of another shape is an error; fields that the shape does not name are dropped', () => {
  const shape = z.object({ id: z.string() });
  expect(shaped(shape, { id: 'a', password: 'p' })).toEqual({ id: 'a' });
  expect(() => shaped(shape, { id: 7, planted: 'words' })).toThrow(
    expect.objectContaining({ name: 'UpstreamResponseError', cause: 'id: invalid_type' }),
  );
});

test('the log names the field of another shape by its path, and no name that the upstream chose', () => {
  const user = z.object({ name: z.string().nullish(), tags: z.record(z.string(), z.string()) });
  const shape = z.object({ users: z.array(user).default([]) });
  const body = { users: [{ tags: {} }, { name: 7, tags: { planted: 1 } }] };
  const cause = 'users.1.name: invalid_type, users.1.tags.*: invalid_type';
  expect(() => shaped(shape, body)).toThrow(expect.objectContaining({ cause }));
  expect(() => shaped(shape, 7)).toThrow(
    expect.objectContaining({ cause: 'the answer: invalid_type' }),
  );
});

test('the time in the upstream is the sum of a call’s requests', async () => {
  service.reply(json({}));
  const timing = new CallTiming();
  const { call } = open();
  await call({}, undefined, timing);
  const once = timing.upstreamMs;
  await call({}, undefined, timing);
  expect(once).toBeGreaterThan(0);
  expect(timing.upstreamMs).toBeGreaterThan(once);
});
