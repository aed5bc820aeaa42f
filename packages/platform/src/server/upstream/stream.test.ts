/** Streaming in both directions. */
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeEach, expect, test, vi } from 'vitest';
import { UpstreamFailure } from './failures.ts';
import { RequestBodyTooLarge, type UpstreamStreamCall } from './stream.ts';
import { createUpstream } from './upstream.ts';

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

let handler: Handler;
let requests: IncomingMessage[];
const server = createServer((request, response) => {
  requests.push(request);
  request.on('error', () => undefined);
  handler(request, response);
});
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
const { port } = server.address() as AddressInfo;
const { open: openUpstream } = createUpstream(() => `http://127.0.0.1:${port}`);

beforeEach(() => {
  requests = [];
});
afterAll(() => {
  server.close();
  server.closeAllConnections();
});

const kilobyte = new Uint8Array(1024).fill(7);
const maxBytes = 1024 * 1024;

/**
 * Emits chunks of one kilobyte. `taken` counts the chunks pulled; `cancelled` is set when the
 * reader cancels.
 */
function source(count: number, atEnd: 'close' | 'stall' | Error = 'close') {
  const state = { taken: 0, cancelled: false };
  const stream = new ReadableStream<Uint8Array>({
    pull(controller) {
      if (state.taken < count) {
        state.taken += 1;
        controller.enqueue(kilobyte);
      } else if (atEnd === 'close') controller.close();
      else if (atEnd !== 'stall') controller.error(atEnd);
    },
    cancel() {
      state.cancelled = true;
    },
  });
  return Object.assign(state, { stream });
}

function post(stream: ReadableStream<Uint8Array>, more: Partial<UpstreamStreamCall> = {}) {
  const body = { stream, contentType: 'image/png', maxBytes };
  return openUpstream({ path: '/media', maxBytes, body, ...more });
}

/** Responds with the digest of the complete request body. */
const digest: Handler = (request, response) => {
  const hash = createHash('sha256');
  request.on('data', (chunk: Buffer) => hash.update(chunk));
  request.on('end', () => response.end(hash.digest('hex')));
};

/** Sends headers and a first chunk, then stalls. */
const begin: Handler = (_request, response) => {
  response.writeHead(200, { 'content-type': 'image/png' });
  response.write('first');
};

async function failureOf(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => {
      throw new Error('the call did not fail');
    },
    (error: unknown) => error,
  );
}

/** Whether the next request's body arrives complete, once the request has closed. */
async function nextIsWhole(): Promise<boolean> {
  const [request] = (await once(server, 'request')) as [IncomingMessage];
  await new Promise((resolve) => request.once('close', resolve));
  return request.complete;
}

test('sends a stream unchanged, with its type and without a token [W01]', async () => {
  handler = digest;
  const { stream } = source(300);
  const response = await post(stream);
  const sent = createHash('sha256');
  for (let chunk = 0; chunk < 300; chunk++) sent.update(kilobyte);
  expect(await new Response(response.body).text()).toBe(sent.digest('hex'));
  expect(requests[0]?.method).toBe('POST');
  expect(Object.keys(requests[0]?.headers ?? {}).sort()).toEqual([
    'connection',
    'content-type',
    'host',
    'transfer-encoding',
  ]);
});

test('sends a body’s length if it is known', async () => {
  handler = digest;
  const body = { stream: source(3).stream, contentType: 'image/png', maxBytes, bytes: 3 * 1024 };
  await (await openUpstream({ path: '/media', body, maxBytes })).body.cancel();
  expect(requests[0]?.headers['content-length']).toBe('3072');
});

test('reads from the visitor only as fast as the platform reads', async () => {
  handler = (request) => request.pause();
  const endless = source(1024 * 1024);
  const more = { body: { stream: endless.stream, contentType: 'image/png', maxBytes: 2 ** 40 } };
  const error = await failureOf(post(endless.stream, { ...more, idle: 300 }));
  expect(error).toMatchObject({ reason: 'timeout' });
  // The capacity of kernel buffers on loopback.
  expect(endless.taken).toBeLessThan(32 * 1024);
  await vi.waitFor(() => {
    expect(endless.cancelled).toBe(true);
  });
});

test('reads from the platform only as fast as the visitor reads', async () => {
  let written = 0;
  let stalled: () => void;
  const standstill = new Promise<void>((resolve) => (stalled = resolve));
  handler = (_request, response) => {
    const part = Buffer.alloc(256 * 1024);
    const pour = () => {
      written += 1;
      // Fifty later round trips give everything written here time to arrive.
      stalled();
      response.write(part, () => {
        if (written < 256) pour();
      });
    };
    pour();
  };
  const { body } = await openUpstream({ path: '/media/1', maxBytes: 2 ** 40 });
  await standstill;
  const reader = body.getReader();
  await reader.read();
  handler = digest;
  for (let round = 0; round < 50; round++) {
    await new Response((await post(source(1).stream)).body).text();
  }
  expect(written).toBeLessThan(128);
  await reader.cancel();
});

test.each([
  ['before the response', digest, source(1, 'stall')],
  ['during the response', begin, source(1)],
])('ends both bodies when the visitor disconnects %s', async (_, reply, { stream }) => {
  handler = reply;
  const arrived = once(server, 'request') as Promise<[IncomingMessage, ServerResponse]>;
  const visitor = new AbortController();
  const call = post(stream, { signal: visitor.signal });
  const read = call.then(({ body }) => new Response(body).text());
  const [request, response] = await arrived;
  if (reply === begin) await call;
  visitor.abort();
  expect(await failureOf(read)).toMatchObject({ reason: 'aborted' });
  if (!response.destroyed) await once(response, 'close');
  expect([request.complete, response.writableFinished]).toEqual([reply === begin, false]);
});

test('no call is made for a visitor who has disconnected', async () => {
  const signal = AbortSignal.abort();
  const failure = await failureOf(openUpstream({ path: '/media/1', maxBytes, signal }));
  expect(failure).toMatchObject({ reason: 'aborted' });
  expect(requests).toHaveLength(0);
});

test('closes the connection when the response body is cancelled', async () => {
  handler = begin;
  const arrived = once(server, 'request') as Promise<[IncomingMessage, ServerResponse]>;
  const { body } = await openUpstream({ path: '/media/1', maxBytes });
  await body.cancel();
  const [, response] = await arrived;
  if (!response.destroyed) await once(response, 'close');
  expect(response.writableFinished).toBe(false);
});

test('the response deadline starts when the body is fully sent', async () => {
  handler = (request) => request.resume();
  let finish: () => void = () => undefined;
  const slow = new ReadableStream<Uint8Array>({
    start(controller) {
      controller.enqueue(kilobyte);
      finish = () => {
        controller.close();
      };
    },
  });
  const arrived = once(server, 'request');
  const timers = vi.spyOn(globalThis, 'setTimeout');
  const deadlines = () => timers.mock.calls.filter(([, ms]) => ms === 77).length;
  const failure = failureOf(post(slow, { deadline: 77 }));
  await arrived;
  const before = deadlines();
  finish();
  expect(await failure).toMatchObject({ reason: 'timeout', status: 504 });
  expect(deadlines()).toBe(before + 1);
});

test('a response that stalls too long is aborted', async () => {
  handler = begin;
  const { body } = await openUpstream({ path: '/media/1', maxBytes, idle: 60 });
  expect(await failureOf(new Response(body).text())).toMatchObject({ reason: 'timeout' });
});

test('the visitor may stall for longer than the platform may', async () => {
  handler = digest;
  let send: () => void = () => undefined;
  const slow = new ReadableStream<Uint8Array>({
    start(controller) {
      controller.enqueue(kilobyte);
      send = () => {
        controller.close();
      };
    },
  });
  const timers = vi.spyOn(globalThis, 'setTimeout');
  const cleared = vi.spyOn(globalThis, 'clearTimeout');
  const response = post(slow, { idle: 4_321 });
  // The timer set when a chunk is passed on is cleared when the next one is read.
  await vi.waitFor(() => {
    const at = timers.mock.calls.findIndex(([, ms]) => ms === 4_321);
    expect(cleared).toHaveBeenCalledWith(timers.mock.results[at]?.value);
  });
  send();
  expect((await response).status).toBe(200);
});

test('a body beyond its limit is not sent completely', async () => {
  handler = digest;
  const whole = nextIsWhole();
  const large = source(1025);
  const error = await failureOf(post(large.stream));
  expect(error).toBeInstanceOf(RequestBodyTooLarge);
  expect(await whole).toBe(false);
});

test('an error of the visitor’s stream is rethrown unchanged and aborts the body', async () => {
  handler = digest;
  const whole = nextIsWhole();
  const own = new Error('the form ends too early');
  expect(await failureOf(post(source(20, own).stream))).toBe(own);
  expect(await whole).toBe(false);
});

test('a response before the upload ends is returned and stops the upload', async () => {
  handler = (request, response) => {
    request.once('data', () => response.writeHead(413).end('{}'));
  };
  const waiting = source(1, 'stall');
  const response = await post(waiting.stream);
  expect(response.status).toBe(413);
  await response.body.cancel();
  await vi.waitFor(() => {
    expect(waiting.cancelled).toBe(true);
  });
});

test('a response beyond the limit errors', async () => {
  handler = (_request, response) => response.end(Buffer.alloc(2_000));
  const { body } = await openUpstream({ path: '/media/1', maxBytes: 1_999 });
  expect(await failureOf(new Response(body).text())).toBeInstanceOf(UpstreamFailure);
});

test('a truncated response errors', async () => {
  handler = (_request, response) => {
    response.writeHead(200, { 'content-length': '100' });
    response.write('x', () => response.destroy());
  };
  const { body } = await openUpstream({ path: '/media/1', maxBytes });
  expect(await failureOf(new Response(body).text())).toMatchObject({ reason: 'unavailable' });
});

test('passes on a range, and the response’s range headers', async () => {
  handler = ({ headers }, response) => {
    response.writeHead(206, {
      'content-type': 'image/png',
      'content-range': 'bytes 2-4/10',
      'accept-ranges': 'bytes',
      etag: '"v1"',
      'set-cookie': 'canary=1',
    });
    response.end(`${headers.range} ${String(headers['if-range'])}`);
  };
  const headers = { range: 'bytes=2-4', 'if-range': '"v1"' };
  const { body, ...head } = await openUpstream({ path: '/media/1', maxBytes, headers });
  expect(head).toEqual({
    status: 206,
    contentType: 'image/png',
    contentLength: undefined,
    contentRange: 'bytes 2-4/10',
    acceptRanges: 'bytes',
    etag: '"v1"',
  });
  expect(await new Response(body).text()).toBe('bytes=2-4 "v1"');
});

test('follows no redirect [W32]', async () => {
  handler = (_request, response) => response.writeHead(302, { location: '/trap' }).end();
  const { status, body } = await openUpstream({ path: '/media/1', maxBytes });
  await body.cancel();
  expect([status, requests.length]).toEqual([302, 1]);
});

test('decodes a compressed response, with the limit on the decoded body', async () => {
  const text = 'x'.repeat(1_000);
  handler = (_request, response) => {
    response.writeHead(200, { 'content-encoding': 'gzip', etag: '"coded"' });
    response.end(gzipSync(text));
  };
  const response = await openUpstream({ path: '/media/1', maxBytes: 1_000 });
  expect([response.contentLength, response.etag]).toEqual([undefined, undefined]);
  expect(await new Response(response.body).text()).toBe(text);
  const { body } = await openUpstream({ path: '/media/1', maxBytes: 999 });
  expect(await failureOf(new Response(body).text())).toMatchObject({ reason: 'unavailable' });
});

test.each([
  ['a range of an encoded body', 206, { 'content-encoding': 'gzip' }],
  ['an unknown coding', 200, { 'content-encoding': 'zstd' }],
  ['an invalid status', 600, {}],
])('%s is unavailable, 502', async (_, status, headers) => {
  handler = (_request, response) => response.writeHead(status, headers).end('x');
  expect(await failureOf(openUpstream({ path: '/media/1', maxBytes }))).toMatchObject({
    status: 502,
  });
});
