import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import {
  type GuardResult,
  onUpstreamFailure,
  type PassedGuard,
  PlatformSdkError,
} from '@gatehouse/platform/server';
import { afterEach, beforeEach, expect, expectTypeOf, test, vi } from 'vitest';
import { done, running } from '~/testing/studio/generation-data';
import {
  bytes,
  hang,
  json,
  raw,
  type Reply,
  reset,
} from '@gatehouse/platform/testing/upstream-double';
import { checkPlatformUser, createPlatformSdk, type PlatformSdk } from '~/platform.server';
import { startPlatformInSettings } from '~/testing/platform/platform-with-ada';

const platform = await startPlatformInSettings();

beforeEach(() => {
  platform.on('/user', json(200, { id: 'u1', name: 'Ada' }));
});
afterEach(() => {
  vi.useRealTimers();
});

async function passed(signal?: AbortSignal): Promise<PassedGuard> {
  const guard = await checkPlatformUser(signal ? { signal } : {});
  if (!guard.ok) throw new Error('the guard failed');
  return guard;
}

const openSdk = async (signal?: AbortSignal) => createPlatformSdk(await passed(signal));

async function failureOf(promise: Promise<unknown>): Promise<PlatformSdkError> {
  const error: unknown = await promise.then(
    () => 'nothing',
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof PlatformSdkError)) throw new Error(`no SDK error: ${String(error)}`);
  return error;
}

async function start(sdk: PlatformSdk, prompt: string) {
  const [made] = await sdk.generations.submit(
    { prompts: [prompt], kind: 'picture', aspectRatio: '1:1', references: [] },
    { idempotencyKey: randomUUID() },
  );
  if (!made) throw new Error('nothing was made');
  return made;
}

test('the SDK’s type accepts only a guard narrowed to passed [W13]', () => {
  expectTypeOf(createPlatformSdk).parameter(0).toEqualTypeOf<PassedGuard>();
  expectTypeOf<{ ok: true; user: unknown }>().not.toExtend<PassedGuard>();
  expectTypeOf<GuardResult>().not.toExtend<PassedGuard>();
  // Never called: this is a type check.
  const compiled = async () => {
    const guard = await checkPlatformUser({});
    // @ts-expect-error -- an object shaped like a passed guard
    createPlatformSdk({ ok: true, user: {} });
    // @ts-expect-error -- an unchecked result
    createPlatformSdk(guard);
    // @ts-expect-error -- a copy of a result
    createPlatformSdk({ ...guard, ok: true });
    // @ts-expect-error -- a failed guard
    if (!guard.ok) createPlatformSdk(guard);
    if (guard.ok) createPlatformSdk(guard);
  };
  expect(compiled).toBeTypeOf('function');
});

test('the SDK rejects objects that merely look like a passed guard, and makes no call [W13]', async () => {
  const guard = await passed();
  const calls = platform.requests.length;
  const forgeries: unknown[] = [
    { ok: true, user: { id: 'root' } },
    { ...guard },
    structuredClone({ ...guard }),
    JSON.parse(JSON.stringify(guard)),
    Object.create(guard),
  ];
  for (const forged of forgeries) {
    expect(() => createPlatformSdk(forged as PassedGuard)).toThrow(TypeError);
  }
  expect(platform.requests).toHaveLength(calls);
});

test.each([
  ['not JSON', 'hello'],
  ['null', 'null'],
  ['a string', '"Ada"'],
  ['a list', '[{"id":"u1"}]'],
  ['empty', ''],
])(
  'a profile that is %s identifies nobody to act for: 502, and no call [W08] [W13]',
  async (_, body) => {
    platform.on('/user', bytes(200, body));
    const guard = await passed();
    expect(() => createPlatformSdk(guard)).toThrow(
      expect.objectContaining({ status: 502, code: 'upstream_unavailable' }),
    );
    expect(platform.requests).toHaveLength(1);
  },
);

test('submits a prompt to the internal address, without a token [W12] [W01]', async () => {
  platform.on('/generations', json(201, { items: [running] }));
  const sdk = await openSdk();
  expect(await start(sdk, 'a fox')).toEqual({
    id: 'g1',
    kind: 'picture',
    prompt: 'a fox',
    aspectRatio: '1:1',
    status: 'running',
    progress: 0.5,
    createdAt: '2026-11-21T07:00:00Z',
    cost: 1,
    failure: null,
    references: [],
    output: null,
  });
  const [request] = platform.to('/generations');
  expect(request?.method).toBe('POST');
  expect(JSON.parse(request?.body ?? '')).toEqual({
    prompts: ['a fox'],
    kind: 'picture',
    aspect_ratio: '1:1',
    references: [],
  });
  expect(request?.headers['idempotency-key']).toMatch(/^[\da-f-]{36}$/);
  expect(request?.headers).not.toHaveProperty('authorization');
  expect(request?.headers).not.toHaveProperty('cookie');
});

test('reads one picture, and lists pictures page by page [W12]', async () => {
  platform.on('/generations/g1', json(200, done));
  platform.on('/generations', json(200, { items: [done, running], next_cursor: 'c&=2' }));
  const sdk = await openSdk();
  const picture = await sdk.generations.get('g1');
  expect(picture).toMatchObject({
    status: 'succeeded',
    output: {
      url: '/api/generations/g1/output.png',
      filename: 'g1.png',
      width: 640,
      height: 480,
    },
  });
  const page = await sdk.generations.list();
  expect(page.items).toHaveLength(2);
  expect(page.nextCursor).toBe('c&=2');
  await sdk.generations.list({ cursor: 'c&=2' });
  expect(platform.to('/generations').map(({ path }) => path)).toEqual([
    '/generations?limit=24',
    '/generations?limit=24&cursor=c%26%3D2',
  ]);
});

test('only safe data is returned [W20]', async () => {
  const leaky = {
    ...done,
    internal_cost: 'canary',
    worker: { host: 'canary' },
    output: { ...done.output, storage_url: 's3://canary' },
  };
  platform.on('/generations/g1', json(200, leaky));
  platform.on('/generations', json(200, { items: [leaky], debug: 'canary' }));
  const sdk = await openSdk();
  expect(JSON.stringify(await sdk.generations.get('g1'))).not.toContain('canary');
  expect(JSON.stringify(await sdk.generations.list())).not.toContain('canary');
});

test.each([
  [
    'a finished picture with a media type that has no known extension',
    { ...done, output: { content_type: 'image/tiff' } },
    null,
  ],
  ['an output before the picture is finished', { ...running, output: done.output }, null],
  ['a finished picture without output', { ...done, output: null }, null],
  ['a JPEG', { ...done, output: { content_type: 'image/jpeg' } }, 'g1.jpg'],
  ['a WebP', { ...done, output: { content_type: 'image/webp', width: null } }, 'g1.webp'],
])('%s has the right filename or none [W27]', async (_, upstream, filename) => {
  platform.on('/generations/g1', json(200, upstream));
  const { output } = await (await openSdk()).generations.get('g1');
  expect(output?.filename ?? null).toBe(filename);
});

test.each([
  ['invalid JSON', bytes(200, '<p>')],
  ['an unknown status', json(200, { ...running, status: 'exploded' })],
  ['no id', json(200, { ...running, id: '' })],
  ['an invalid date', json(200, { ...running, created_at: 'yesterday' })],
  ['a list', json(200, [running])],
  ['an empty body', bytes(204, '')],
])('a response with %s is 502, and none of it is passed on [W33]', async (_, reply) => {
  platform.on('/generations/g1', reply);
  const error = await failureOf((await openSdk()).generations.get('g1'));
  expect(error).toMatchObject({ status: 502, code: 'upstream_unavailable' });
  expect(error.message).toBe('upstream_unavailable');
});

test('an invalid progress is read as 0', async () => {
  platform.on('/generations/g1', json(200, { ...running, progress: 'most of it' }));
  expect((await (await openSdk()).generations.get('g1')).progress).toBe(0);
});

test.each([
  [401, 401, 'unauthorized'],
  [402, 402, 'insufficient_credits'],
  [403, 403, 'forbidden'],
  [429, 429, 'rate_limited'],
  [302, 502, 'upstream_unavailable'],
  [304, 502, 'upstream_unavailable'],
  [400, 502, 'upstream_unavailable'],
  [418, 502, 'upstream_unavailable'],
  [500, 502, 'upstream_unavailable'],
  [503, 502, 'upstream_unavailable'],
])(
  'upstream status %i becomes %i %s in every operation, without its body [W20] [W33]',
  async (upstream, status, code) => {
    const body = upstream === 304 ? '' : JSON.stringify({ error: 'canary', trace: 'canary' });
    platform.on('*', bytes(upstream, body, { 'x-trace': 'canary', location: '/canary' }));
    const sdk = await openSdk();
    const operations = [
      () => start(sdk, 'a fox'),
      () => sdk.generations.get('g1'),
      () => sdk.generations.list(),
      () => sdk.generations.readOutput('g1', 'png'),
    ];
    for (const operation of operations) {
      const error = await failureOf(operation());
      expect([error.status, error.code, error.message]).toEqual([status, code, code]);
      expect(JSON.stringify(error)).not.toContain('canary');
    }
    expect(platform.to('/canary')).toHaveLength(0);
  },
);

test.each([
  [404, ['upstream_unavailable', 'not_found', 'upstream_unavailable', 'not_found']],
  [409, ['upstream_unavailable', 'upstream_unavailable', 'workspace_gone', 'not_ready']],
  [422, ['invalid_order', 'upstream_unavailable', 'invalid_cursor', 'upstream_unavailable']],
])('upstream status %i is interpreted per operation [W33]', async (upstream, codes) => {
  platform.on('*', json(upstream, { error: 'canary' }));
  const sdk = await openSdk();
  const failures = [
    await failureOf(start(sdk, 'a fox')),
    await failureOf(sdk.generations.get('g1')),
    await failureOf(sdk.generations.list({ cursor: 'zzz' })),
    await failureOf(sdk.generations.readOutput('g1', 'png')),
  ];
  expect(failures.map(({ code }) => code)).toEqual(codes);
  for (const { code, status } of failures) {
    expect(status).toBe(code === 'upstream_unavailable' ? 502 : upstream);
  }
});

test.each([
  ['an unknown kind', { ...done, id: 'g2', kind: 'hologram' }],
  ['an unknown status', { ...done, id: 'g2', status: 'exploded' }],
  ['a lone surrogate in its id', { ...done, id: '\ud800' }],
  ['a null in its place', null],
])('a list item with %s is left out, and logged', async (_, strange) => {
  const reported: unknown[] = [];
  onUpstreamFailure((failure) => reported.push(failure));
  platform.on('/generations', json(200, { items: [done, strange, running], next_cursor: 'c2' }));
  const { items, nextCursor } = await (await openSdk()).generations.list();
  expect([items.map(({ status }) => status), nextCursor]).toEqual([['succeeded', 'running'], 'c2']);
  const line = { path: '/generations?limit=24', reason: '1 of 3 items left out' };
  expect(reported).toEqual([expect.objectContaining(line)]);
});

test('a page never exceeds its size, whatever the platform sends', async () => {
  const many = Array.from({ length: 500 }, (_, index) => ({ ...done, id: `g${index}` }));
  platform.on('/generations', json(200, { items: many, next_cursor: null }));
  expect((await (await openSdk()).generations.list()).items).toHaveLength(24);
});

test('valid events are yielded, and anything else in the stream is skipped', async () => {
  const lines = [
    ': a comment',
    `data: ${JSON.stringify({ ...running, internal: 'canary' })}`,
    'data: no JSON',
    `data: ${JSON.stringify({ ...running, kind: 'hologram' })}`,
    `event: another\nid: 7\nunheard: of\nretry: soon\ndata: ${JSON.stringify(done)}`,
  ];
  platform.on('/generations/events', bytes(200, `${lines.join('\n\n')}\n\n`));
  const reported: unknown[] = [];
  const { signal } = new AbortController();
  for await (const generation of (await openSdk()).generations.watch({ signal }))
    reported.push(generation);
  expect(reported).toMatchObject([{ status: 'running' }, { status: 'succeeded' }]);
  expect(JSON.stringify(reported)).not.toContain('canary');
});

test('an event stream may idle for an hour, and ends on abort', async () => {
  platform.on('/generations/events', (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(`data: ${JSON.stringify(running)}\n\n`);
  });
  const sdk = await openSdk();
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const stop = new AbortController();
  const events = sdk.generations.watch({ signal: stop.signal })[Symbol.asyncIterator]();
  expect((await events.next()).value).toMatchObject({ id: 'g1' });
  const next = events.next();
  await vi.advanceTimersByTimeAsync(60 * 60_000);
  expect(await Promise.race([next, Promise.resolve('waiting')])).toBe('waiting');
  stop.abort();
  expect((await next).done).toBe(true);
  expect(await platform.to('/generations/events')[0]?.ended).toBe('cut');
});

test.each([
  [
    'is endless',
    (response: ServerResponse) => {
      pour(response);
    },
  ],
  ['breaks off', (response: ServerResponse) => void response.destroy()],
])('an event stream whose event %s fails with 502', async (_, go) => {
  platform.on('/generations/events', (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write('data: ', () => {
      go(response);
    });
  });
  const { signal } = new AbortController();
  const events = (await openSdk()).generations.watch({ signal })[Symbol.asyncIterator]();
  expect(await failureOf(events.next())).toMatchObject({ status: 502 });
});

function pour(response: ServerResponse) {
  const part = Buffer.alloc(64 * 1024, 'x');
  while (!response.destroyed && response.write(part));
  if (!response.destroyed)
    response.once('drain', () => {
      pour(response);
    });
}

test('a 422 to a list request without a cursor is not reported as an invalid cursor', async () => {
  platform.on('*', json(422, {}));
  const error = await failureOf((await openSdk()).generations.list({ cursor: '' }));
  expect(error).toMatchObject({ status: 502, code: 'upstream_unavailable' });
});

test.each<[string, Reply]>([
  ['a connection reset', reset],
  ['truncated', raw('HTTP/1.1 200 OK\r\ncontent-length: 99\r\n\r\n{')],
  ['not HTTP', raw('hello\r\n\r\n')],
])('a response that is %s is 502 [W33]', async (_, reply) => {
  platform.on('/generations/g1', reply);
  const error = await failureOf((await openSdk()).generations.get('g1'));
  expect(error).toMatchObject({ status: 502, code: 'upstream_unavailable' });
  expect(error.message).not.toContain('127.0.0.1');
});

test('an operation without a response for five seconds is 504', async () => {
  platform.on('/generations/g1', hang);
  const sdk = await openSdk();
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const requested = platform.next();
  const failure = failureOf(sdk.generations.get('g1'));
  const request = await requested;
  await vi.advanceTimersByTimeAsync(5_000);
  expect(await failure).toMatchObject({ status: 504, code: 'upstream_unavailable' });
  expect(await request.ended).toBe('cut');
});

test('an operation is aborted when the visitor disconnects', async () => {
  platform.on('/generations', hang);
  const visitor = new AbortController();
  const sdk = await openSdk(visitor.signal);
  const requested = platform.next();
  const failure = failureOf(start(sdk, 'a fox'));
  const request = await requested;
  visitor.abort();
  expect(await request.ended).toBe('cut');
  expect(await failure).toMatchObject({ status: 502 });
});

test.each(['a/b', '../user', 'a?x=1', 'a#b', 'a\\b', '%2e%2e', 'ä 🦊', 'a\r\nb', '..%2f'])(
  'the id %j stays one segment of the upstream path',
  async (id) => {
    platform.on('*', json(404, null));
    const sdk = await openSdk();
    await failureOf(sdk.generations.get(id));
    await failureOf(sdk.generations.readOutput(id, 'png'));
    const [, generation, output] = platform.requests.map(({ path }) => path);
    expect(generation).toBe(`/generations/${encodeURIComponent(id)}`);
    expect(output).toBe(`/generations/${encodeURIComponent(id)}/output`);
  },
);

test.each(['', '.', '..'])('the id %j is 404, without a call', async (id) => {
  const sdk = await openSdk();
  platform.requests.length = 0;
  expect(await failureOf(sdk.generations.get(id))).toMatchObject({ status: 404 });
  expect(await failureOf(sdk.generations.readOutput(id, 'png'))).toMatchObject({ status: 404 });
  expect(platform.requests).toHaveLength(0);
});
