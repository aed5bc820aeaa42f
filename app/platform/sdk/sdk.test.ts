import { afterEach, beforeEach, expect, expectTypeOf, test, vi } from 'vitest';
import { done, running } from '~/testing/upstream-data';
import {
  bytes,
  hang,
  json,
  raw,
  reset,
  startPlatformDouble,
  type Reply,
} from '~/testing/upstream-double';
import { checkPlatformUser, type GuardResult, type PassedGuard } from '~/platform/platform.server';
import { createPlatformSdk } from './sdk.server';
import { PlatformSdkError } from './port.server';

const platform = await startPlatformDouble();

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

test('the compiler opens the SDK to a narrowed guard alone [W13]', () => {
  expectTypeOf(createPlatformSdk).parameter(0).toEqualTypeOf<PassedGuard>();
  expectTypeOf<{ ok: true; user: unknown }>().not.toExtend<PassedGuard>();
  expectTypeOf<GuardResult>().not.toExtend<PassedGuard>();
  // Never called: the compiler reads it.
  const compiled = async () => {
    const guard = await checkPlatformUser({});
    // @ts-expect-error -- an object that looks like a passed guard
    createPlatformSdk({ ok: true, user: {} });
    // @ts-expect-error -- a result nobody has looked at
    createPlatformSdk(guard);
    // @ts-expect-error -- a copy of a result
    createPlatformSdk({ ...guard, ok: true });
    // @ts-expect-error -- a failed guard
    if (!guard.ok) createPlatformSdk(guard);
    if (guard.ok) createPlatformSdk(guard);
  };
  expect(compiled).toBeTypeOf('function');
});

test('the SDK refuses what merely looks like a passed guard, and calls nobody [W13]', async () => {
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
  ['no JSON', 'hello'],
  ['null', 'null'],
  ['a text', '"Ada"'],
  ['a list', '[{"id":"u1"}]'],
  ['empty', ''],
])(
  'there is nobody to act for when the profile is %s: 502, and no call [W08] [W13]',
  async (_, body) => {
    platform.on('/user', bytes(200, body));
    const guard = await passed();
    expect(() => createPlatformSdk(guard)).toThrow(
      expect.objectContaining({ status: 502, code: 'upstream_unavailable' }),
    );
    expect(platform.requests).toHaveLength(1);
  },
);

test('submits a prompt at the internal address, with no token [W12] [W01]', async () => {
  platform.on('/generations', json(201, running));
  const sdk = await openSdk();
  expect(await sdk.submitGeneration({ prompt: 'a fox' })).toEqual({
    id: 'g1',
    prompt: 'a fox',
    status: 'running',
    progress: 0.5,
    createdAt: '2026-11-21T07:00:00Z',
    output: null,
  });
  const [request] = platform.to('/generations');
  expect(request).toMatchObject({ method: 'POST', body: '{"prompt":"a fox"}' });
  expect(request?.headers).not.toHaveProperty('authorization');
  expect(request?.headers).not.toHaveProperty('cookie');
});

test('reads one picture, and lists them page by page [W12]', async () => {
  platform.on('/generations/g1', json(200, done));
  platform.on('/generations', json(200, { items: [done, running], next_cursor: 'c&=2' }));
  const sdk = await openSdk();
  const picture = await sdk.getGeneration('g1');
  expect(picture).toMatchObject({
    status: 'succeeded',
    output: {
      url: '/api/generations/g1/output.png',
      filename: 'g1.png',
      width: 640,
      height: 480,
    },
  });
  const page = await sdk.listGenerations();
  expect(page.items).toHaveLength(2);
  expect(page.nextCursor).toBe('c&=2');
  await sdk.listGenerations({ cursor: 'c&=2' });
  expect(platform.to('/generations').map(({ path }) => path)).toEqual([
    '/generations?limit=24',
    '/generations?limit=24&cursor=c%26%3D2',
  ]);
});

test('only safe data comes back [W20]', async () => {
  const leaky = {
    ...done,
    internal_cost: 'canary',
    worker: { host: 'canary' },
    output: { ...done.output, storage_url: 's3://canary' },
  };
  platform.on('/generations/g1', json(200, leaky));
  platform.on('/generations', json(200, { items: [leaky], debug: 'canary' }));
  const sdk = await openSdk();
  expect(JSON.stringify(await sdk.getGeneration('g1'))).not.toContain('canary');
  expect(JSON.stringify(await sdk.listGenerations())).not.toContain('canary');
});

test.each([
  [
    'a finished picture of a kind no extension is known for',
    { ...done, output: { content_type: 'image/tiff' } },
    null,
  ],
  ['an output before the picture is finished', { ...running, output: done.output }, null],
  ['a finished picture without output', { ...done, output: null }, null],
  ['a JPEG', { ...done, output: { content_type: 'image/jpeg' } }, 'g1.jpg'],
  ['a WebP', { ...done, output: { content_type: 'image/webp', width: null } }, 'g1.webp'],
])('%s has the filename it should [W27]', async (_, upstream, filename) => {
  platform.on('/generations/g1', json(200, upstream));
  const { output } = await (await openSdk()).getGeneration('g1');
  expect(output?.filename ?? null).toBe(filename);
});

test.each([
  ['no JSON', bytes(200, '<p>')],
  ['an unknown status', json(200, { ...running, status: 'exploded' })],
  ['no id', json(200, { ...running, id: '' })],
  ['a date that is none', json(200, { ...running, created_at: 'yesterday' })],
  ['a list', json(200, [running])],
  ['nothing', bytes(204, '')],
])('an answer with %s is 502, and says nothing of itself [W33]', async (_, reply) => {
  platform.on('/generations/g1', reply);
  const error = await failureOf((await openSdk()).getGeneration('g1'));
  expect(error).toMatchObject({ status: 502, code: 'upstream_unavailable' });
  expect(error.message).toBe('upstream_unavailable');
});

test('a progress that makes no sense is none', async () => {
  platform.on('/generations/g1', json(200, { ...running, progress: 'most of it' }));
  expect((await (await openSdk()).getGeneration('g1')).progress).toBe(0);
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
  'upstream status %i becomes %i %s in every operation, and no word of its body [W20] [W33]',
  async (upstream, status, code) => {
    const body = upstream === 304 ? '' : JSON.stringify({ error: 'canary', trace: 'canary' });
    platform.on('*', bytes(upstream, body, { 'x-trace': 'canary', location: '/canary' }));
    const sdk = await openSdk();
    const operations = [
      () => sdk.submitGeneration({ prompt: 'a fox' }),
      () => sdk.getGeneration('g1'),
      () => sdk.listGenerations(),
      () => sdk.readOutput('g1', 'png'),
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
  [409, ['upstream_unavailable', 'upstream_unavailable', 'upstream_unavailable', 'not_ready']],
  [422, ['invalid_prompt', 'upstream_unavailable', 'invalid_cursor', 'upstream_unavailable']],
])('upstream status %i means what the operation makes of it [W33]', async (upstream, codes) => {
  platform.on('*', json(upstream, { error: 'canary' }));
  const sdk = await openSdk();
  const failures = [
    await failureOf(sdk.submitGeneration({ prompt: 'a fox' })),
    await failureOf(sdk.getGeneration('g1')),
    await failureOf(sdk.listGenerations({ cursor: 'zzz' })),
    await failureOf(sdk.readOutput('g1', 'png')),
  ];
  expect(failures.map(({ code }) => code)).toEqual(codes);
  for (const { code, status } of failures) {
    expect(status).toBe(code === 'upstream_unavailable' ? 502 : upstream);
  }
});

test('a list that was asked for without a cursor cannot have a wrong one', async () => {
  platform.on('*', json(422, {}));
  const error = await failureOf((await openSdk()).listGenerations({ cursor: '' }));
  expect(error).toMatchObject({ status: 502, code: 'upstream_unavailable' });
});

test.each<[string, Reply]>([
  ['reset', reset],
  ['cut short', raw('HTTP/1.1 200 OK\r\ncontent-length: 99\r\n\r\n{')],
  ['no HTTP', raw('hello\r\n\r\n')],
])('an answer that is %s is 502 [W33]', async (_, reply) => {
  platform.on('/generations/g1', reply);
  const error = await failureOf((await openSdk()).getGeneration('g1'));
  expect(error).toMatchObject({ status: 502, code: 'upstream_unavailable' });
  expect(error.message).not.toContain('127.0.0.1');
});

test('an operation without an answer for five seconds is 504', async () => {
  platform.on('/generations/g1', hang);
  const sdk = await openSdk();
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const asked = platform.next();
  const failure = failureOf(sdk.getGeneration('g1'));
  const request = await asked;
  await vi.advanceTimersByTimeAsync(5_000);
  expect(await failure).toMatchObject({ status: 504, code: 'upstream_unavailable' });
  expect(await request.ended).toBe('cut');
});

test('an operation ends when the visitor goes away', async () => {
  platform.on('/generations', hang);
  const visitor = new AbortController();
  const sdk = await openSdk(visitor.signal);
  const asked = platform.next();
  const failure = failureOf(sdk.submitGeneration({ prompt: 'a fox' }));
  const request = await asked;
  visitor.abort();
  expect(await request.ended).toBe('cut');
  expect(await failure).toMatchObject({ status: 502 });
});

test.each(['a/b', '../user', 'a?x=1', 'a#b', 'a\\b', '%2e%2e', 'ä 🦊', 'a\r\nb', '..%2f'])(
  'the id %j stays one segment of the upstream path',
  async (id) => {
    platform.on('*', json(404, null));
    const sdk = await openSdk();
    await failureOf(sdk.getGeneration(id));
    await failureOf(sdk.readOutput(id, 'png'));
    const [, one, output] = platform.requests.map(({ path }) => path);
    expect(one).toBe(`/generations/${encodeURIComponent(id)}`);
    expect(output).toBe(`/generations/${encodeURIComponent(id)}/output`);
  },
);

test.each(['', '.', '..'])('the id %j is nobody’s: 404, and no call', async (id) => {
  const sdk = await openSdk();
  platform.requests.length = 0;
  expect(await failureOf(sdk.getGeneration(id))).toMatchObject({ status: 404 });
  expect(await failureOf(sdk.readOutput(id, 'png'))).toMatchObject({ status: 404 });
  expect(platform.requests).toHaveLength(0);
});
