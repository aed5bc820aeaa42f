/** Calls of the offline demo, which its own process answers: they behave as those over HTTP do. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { definePlatform } from '../platform.ts';
import { rethrow, type SdkCalls } from '../sdk/calls.ts';
import { events } from '../sdk/events.ts';
import { file } from '../sdk/files.ts';
import { body, operation } from '../sdk/operation.ts';

type Handle = (request: Request, person: string) => Promise<Response>;

const png = Buffer.from(
  '89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c489',
  'hex',
);

const things = {
  get: operation({ get: '/thing', codes: { 404: 'not_found' }, returns: body(z.unknown()) }),
  add: operation({ post: '/things', once: true, json: (name: string) => ({ name }) }),
  read: file({ get: (id) => `/files/${id}`, extensions: new Map([['image/png', 'png']]) }),
  watch: events({ get: '/events', item: z.string() }),
  upload: (calls: SdkCalls) => async (stream: ReadableStream<Uint8Array>) => {
    const sent = { stream, contentType: 'image/png', maxBytes: 1_000 };
    const response = await calls.open(
      { path: '/files', body: sent, maxBytes: 100 },
      { 413: 'body_too_large' },
    );
    return new Response(response.body).text().catch(rethrow);
  },
};

async function open(handle: Handle, context: { signal?: AbortSignal } = {}) {
  const { checkPlatformUser, createPlatformSdk } = definePlatform({
    settings: () => ({ internalUrl: '', offlineDemo: true }),
    operations: { things },
    demo: () => Promise.resolve({ handle }),
  });
  const guard = await checkPlatformUser(context);
  if (!guard.ok) throw new Error('the guard failed');
  return createPlatformSdk(guard).things;
}

const never = () => new Promise<never>(() => undefined);

/** Chunks that are made when they are read. */
function streamOf(chunks: (Uint8Array | Error)[], onRead: () => void = () => undefined) {
  return new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        onRead();
        const chunk = chunks.shift();
        if (chunk instanceof Error) controller.error(chunk);
        else if (chunk) controller.enqueue(chunk);
        else controller.close();
      },
    },
    { highWaterMark: 0 },
  );
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
});
afterEach(() => {
  // Nothing of a call is left over, however it ended.
  expect(vi.getTimerCount()).toBe(0);
  vi.useRealTimers();
});

test('a request is what the platform would receive, and its response is read as over HTTP [W12]', async () => {
  const seen: unknown[] = [];
  const sdk = await open(async (request) => {
    const { method, url, headers } = request;
    seen.push([method, url, Object.fromEntries(headers), await request.text()]);
    return method === 'POST' ? new Response(null, { status: 204 }) : Response.json({ id: 't1' });
  });
  await sdk.add('Orchids', { idempotencyKey: 'k1' });
  expect(await sdk.get()).toEqual({ id: 't1' });
  expect(seen).toEqual([
    [
      'POST',
      'http://platform.invalid/things',
      { 'content-type': 'application/json', 'idempotency-key': 'k1' },
      '{"name":"Orchids"}',
    ],
    ['GET', 'http://platform.invalid/thing', {}, ''],
  ]);
});

test.each<[string, () => Response, object]>([
  ['a status that is declared', () => new Response(null, { status: 404 }), { code: 'not_found' }],
  ['a status that is not', () => new Response(null, { status: 418 }), { status: 502 }],
  ['a body that is no JSON', () => new Response('<html>'), { status: 502 }],
  ['a body that is too large', () => new Response(Buffer.alloc(2 ** 20 + 1)), { status: 502 }],
  [
    'an error',
    () => {
      throw new Error('canary');
    },
    { status: 502 },
  ],
])('%s fails as it does over HTTP [W33]', async (_, respond, failure) => {
  const sdk = await open(() => Promise.resolve().then(respond));
  await expect(sdk.get()).rejects.toMatchObject(failure);
});

test('a call without a response for five seconds is 504, and its request is aborted', async () => {
  const signals: AbortSignal[] = [];
  const sdk = await open(({ signal }) => {
    signals.push(signal);
    return never();
  });
  const failure = expect(sdk.get()).rejects.toMatchObject({ status: 504 });
  await vi.advanceTimersByTimeAsync(5_000);
  await failure;
  expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
});

test('a call ends when the visitor disconnects', async () => {
  const visitor = new AbortController();
  const signals: AbortSignal[] = [];
  const handle: Handle = ({ signal }) => {
    signals.push(signal);
    return never();
  };
  const sdk = await open(handle, { signal: visitor.signal });
  const failures = [sdk.get(), sdk.read('f1', 'png'), sdk.upload(streamOf([]))].map((call) =>
    expect(call).rejects.toMatchObject({ status: 502 }),
  );
  await vi.waitFor(() => {
    expect(signals).toHaveLength(3);
  });
  visitor.abort();
  await Promise.all(failures);
  expect(signals.every(({ aborted }) => aborted)).toBe(true);
  // Aborted before it began, too.
  await expect(sdk.get()).rejects.toMatchObject({ status: 502 });
});

test('an upload is read only as it is taken', async () => {
  let reads = 0;
  const sdk = await open(async ({ body }) => {
    const reader = body?.getReader();
    await reader?.read();
    // One chunk each for the reader, the request and the stream before it may be waiting.
    expect(reads).toBeLessThan(10);
    await reader?.cancel();
    return new Response('enough');
  });
  const endless = Array.from({ length: 500 }, () => Buffer.from('x'));
  expect(await sdk.upload(streamOf(endless, () => void (reads += 1)))).toBe('enough');
});

test('an upload that exceeds its limit is 413, and one whose own stream fails throws its error', async () => {
  const arrived: unknown[] = [];
  const sdk = await open(async (request) => {
    arrived.push(await request.arrayBuffer().then(String, () => 'broken'));
    return new Response('stored');
  });
  const tooLarge = sdk.upload(streamOf([Buffer.alloc(600), Buffer.alloc(600)]));
  await expect(tooLarge).rejects.toMatchObject({ status: 413, code: 'body_too_large' });
  const gone = new Error('The visitor left.');
  await expect(sdk.upload(streamOf([Buffer.alloc(10), gone]))).rejects.toBe(gone);
  await vi.waitFor(() => {
    expect(arrived).toEqual(['broken', 'broken']);
  });
});

test('a response before the end of an upload counts, and cancels the rest', async () => {
  const cancelled = vi.fn();
  const sdk = await open(async ({ body }) => {
    const reader = body?.getReader();
    await reader?.read();
    await reader?.cancel();
    // What the unread rest causes is over before the response begins.
    await new Promise(setImmediate);
    return new Response(null, { status: 413 });
  });
  const stalled = new ReadableStream<Uint8Array>({
    start(controller) {
      controller.enqueue(Buffer.from('x'));
    },
    cancel: cancelled,
  });
  await expect(sdk.upload(stalled)).rejects.toMatchObject({ status: 413 });
  await vi.waitFor(() => {
    expect(cancelled).toHaveBeenCalledOnce();
  });
});

test('a range of a file crosses with its headers [W27]', async () => {
  const sdk = await open(({ headers }) => {
    const [, from = '0', to = ''] = /^bytes=(\d+)-(\d*)$/.exec(headers.get('range') ?? '') ?? [];
    const end = Math.min(to ? Number(to) : Infinity, png.length - 1);
    const range = `bytes ${from}-${end}/${png.length}`;
    const given = { 'content-range': range, etag: '"e1"', 'set-cookie': 'canary=1' };
    return Promise.resolve(
      new Response(Uint8Array.from(png.subarray(Number(from), end + 1)), {
        status: 206,
        headers: given,
      }),
    );
  });
  const part = await sdk.read('f1', 'png', { range: 'bytes=4-' });
  expect(part).toMatchObject({ status: 206, contentType: 'image/png' });
  expect(part.headers).toEqual({ 'content-range': 'bytes 4-32/33', etag: '"e1"' });
  const bytes = Buffer.from(await new Response(part.body).arrayBuffer());
  expect(bytes.equals(png.subarray(4))).toBe(true);
});

test('events arrive one by one, and leaving cancels their stream', async () => {
  const cancelled = vi.fn();
  let send: (text: string) => void = () => undefined;
  const sdk = await open(() =>
    Promise.resolve(
      new Response(
        new ReadableStream({
          start(controller) {
            send = (text) => {
              controller.enqueue(Buffer.from(`data: ${JSON.stringify(text)}\n\n`));
            };
            send('first');
          },
          cancel: cancelled,
        }),
        { headers: { 'content-type': 'text/event-stream' } },
      ),
    ),
  );
  const leave = new AbortController();
  const stream = sdk.watch({ signal: leave.signal });
  expect((await stream.next()).value).toBe('first');
  const next = stream.next();
  // An event stream may idle.
  await vi.advanceTimersByTimeAsync(60 * 60_000);
  send('second');
  expect((await next).value).toBe('second');
  const last = stream.next();
  leave.abort();
  expect((await last).done).toBe(true);
  await vi.waitFor(() => {
    expect(cancelled).toHaveBeenCalledOnce();
  });
});
