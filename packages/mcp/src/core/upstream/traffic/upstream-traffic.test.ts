/** State that the calls of one client share: rate limits, cached responses and a fetched credential. */
import { expect, onTestFinished, test, vi } from 'vitest';
import { failureOf, useService } from '../../../../test/doubles/open-upstream.ts';
import { json, type Reply } from '../../../testing/upstream-double.ts';
import type { UpstreamCall } from '../../context/tool-context.ts';
import { errorText } from '../../result/errors.ts';
import type { Upstream } from '../client.ts';
import { createCredentials, type FetchSecret } from '../credentials.ts';
import { path } from '../path.ts';

const { service, open } = useService();

function callOf(id: string, reportPause?: UpstreamCall['reportPause']): UpstreamCall {
  const { signal: cancellation } = new AbortController();
  return { caller: { id }, cancellation, ...(reportPause && { reportPause }) };
}
const ann = callOf('ann');
const bob = callOf('bob');

test('429 with Retry-After pauses later calls of every caller', async () => {
  service.reply(json({}, 429, { 'retry-after': '7' }), json('fine'));
  const { upstream, waits } = open({ rateLimit: {} });
  await failureOf(upstream.request(path`/a`, { method: 'POST' }, ann));
  expect(await upstream.request(path`/b`, {}, bob)).toBe('fine');
  expect(waits.map((wait) => Math.ceil(wait / 1_000))).toEqual([7]);
});

test('without a configured limit, a 429 affects its own call only, because the service may limit each endpoint', async () => {
  service.reply(json({}, 429, { 'retry-after': '3600' }), json('fine'));
  const { upstream, waits } = open();
  await failureOf(upstream.request(path`/a`, {}, ann));
  expect([await upstream.request(path`/b`, {}, ann), waits]).toEqual(['fine', []]);
});

test('each credential has its own limit', async () => {
  service.reply(json({}, 429, { 'retry-after': '7' }), json('fine'));
  const credentials = createCredentials('shared');
  credentials.keep(credentials.receive({ id: 'bob' }, 'his'));
  const { upstream, waits } = open({ credentials, rateLimit: {} });
  await failureOf(upstream.request(path`/a`, { method: 'POST' }, ann));
  await upstream.request(path`/b`, {}, bob);
  expect(waits).toEqual([]);
});

test('a call that would wait past its deadline is rejected without a request', async () => {
  service.reply(json({}, 429, { 'retry-after': '60' }));
  const { upstream } = open({ rateLimit: {} });
  await failureOf(upstream.request(path`/a`, {}, ann));
  const failure = await failureOf(upstream.request(path`/b`, {}, ann));
  expect(errorText(failure)).toBe(
    'Error: Rate limit exceeded. Please wait before making more requests.',
  );
  expect(failure).toMatchObject({ retryAfter: '60' });
  expect(service.requests).toHaveLength(1);
});

test('requests keep to the configured limit and to the service’s headers', async () => {
  service.reply(json({}));
  const limited = open({ rateLimit: { requests: 2, seconds: 20 } });
  for (let times = 0; times < 3; times += 1) await limited.call();
  expect(limited.waits.map((wait) => Math.ceil(wait / 1_000))).toEqual([10]);

  service.reply(json({}, 200, { 'X-RateLimit-Remaining': '0', 'X-RateLimit-Reset': '4' }));
  const headers = { remaining: 'x-ratelimit-remaining', reset: 'x-ratelimit-reset' };
  const reported = open({ rateLimit: { headers } });
  await reported.call();
  await reported.call();
  expect(reported.waits.map((wait) => Math.ceil(wait / 1_000))).toEqual([4]);
});

test('each wait is reported with its reason', async () => {
  service.reply(json({}, 503, { 'retry-after': '2' }), json('fine'));
  const reported: unknown[] = [];
  const call = callOf('ann', (...words) => {
    reported.push(words);
    return Promise.resolve();
  });
  vi.spyOn(Math, 'random').mockReturnValue(0.5);
  await open().upstream.request(path`/a`, {}, call);
  expect(reported).toEqual([
    ['The service answered with status 503: waiting 2.1 s', { attempt: 2 }],
  ]);
});

/** Replies with a counter, so that each response differs. */
function counting(): Reply {
  let count = 0;
  return (response) => response.end(JSON.stringify({ count: (count += 1) }));
}

const kept = { cacheMs: 60_000 } as const;
const read = (upstream: Upstream, call: UpstreamCall, options = {}) =>
  upstream.request(path`/a`, { ...kept, ...options }, call);

test('a response is cached for its caller only', async () => {
  service.reply(counting());
  const { upstream } = open();
  const first = await read(upstream, ann);
  expect(first).toEqual({ count: 1 });
  // Each caller gets a copy.
  (first as { count: number }).count = 99;
  expect(await read(upstream, ann)).toEqual({ count: 1 });
  expect(await read(upstream, bob)).toEqual({ count: 2 });
  // A different request, or the same one without caching.
  expect(await read(upstream, ann, { query: { a: 1 } })).toEqual({ count: 3 });
  expect(await read(upstream, ann, { headers: { accept: 'a/b' } })).toEqual({ count: 4 });
  expect(await upstream.request(path`/a`, {}, ann)).toEqual({ count: 5 });
});

test('a cached response has its headers, and can be read in another format', async () => {
  service.reply(json([], 200, { 'x-total-count': '3' }));
  const { upstream } = open();
  await read(upstream, ann);
  const response = await upstream.request(path`/a`, { ...kept, whole: true }, ann);
  expect([response.status, response.headers.get('x-total-count'), response.body]).toEqual([
    200,
    '3',
    [],
  ]);
  expect(service.requests).toHaveLength(1);
});

test('bytes of a cached response are copied for each caller', async () => {
  service.reply(json('kept'));
  const { upstream } = open();
  const first = await upstream.request(path`/a`, { ...kept, as: 'bytes' }, ann);
  first.fill(0);
  expect(await read(upstream, ann, { as: 'text' })).toBe('"kept"');
  (await upstream.request(path`/a`, { ...kept, as: 'bytes' }, ann)).fill(0);
  expect(await read(upstream, ann, { as: 'text' })).toBe('"kept"');
  expect(service.requests).toHaveLength(1);
});

test('a response is cached no longer than requested', async () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  onTestFinished(() => {
    vi.useRealTimers();
  });
  // Cached until the clock advances.
  vi.advanceTimersByTime(1);
  service.reply(counting());
  const { upstream } = open();
  await read(upstream, ann);
  vi.advanceTimersByTime(59_999);
  expect(await read(upstream, ann)).toEqual({ count: 1 });
  vi.advanceTimersByTime(2);
  expect(await read(upstream, ann)).toEqual({ count: 2 });
});

test('a caller who has written reads fresh data, and a response from before the write is not cached', async () => {
  let respondLate: () => void = () => undefined;
  let count = 0;
  service.reply((response, { url }) => {
    const body = JSON.stringify({ count: (count += 1) });
    if (url === '/late') respondLate = () => response.end(body);
    else response.end(body);
  });
  const { upstream } = open();
  await read(upstream, ann);
  await read(upstream, bob);
  const requested = service.next();
  const late = upstream.request(path`/late`, kept, ann);
  await requested;
  await upstream.request(path`/a`, { method: 'POST' }, ann);
  respondLate();
  expect(await late).toEqual({ count: 3 });
  expect(await read(upstream, ann)).toEqual({ count: 5 });
  expect(await read(upstream, bob)).toEqual({ count: 2 });
  const again = service.next();
  const second = upstream.request(path`/late`, kept, ann);
  await again;
  respondLate();
  expect(await second).toEqual({ count: 6 });
});

test('failures, writes and requests with a secret being tried are not cached', async () => {
  service.reply(json({}, 500), counting());
  const credentials = createCredentials('shared');
  const { upstream } = open({ credentials });
  await failureOf(read(upstream, ann));
  expect(await read(upstream, ann)).toEqual({ count: 1 });
  const secret = credentials.receive({ id: 'ann' }, 'tried');
  expect(await read(upstream, ann, { secret })).toEqual({ count: 2 });
  // A connected account has cached responses of its own.
  credentials.keep(secret);
  expect(await read(upstream, ann)).toEqual({ count: 3 });
});

test('the cache is bounded', async () => {
  service.reply(counting());
  const { upstream } = open({ cacheBytes: 2_000 });
  for (const id of ['a', 'b', 'c', 'd', 'a']) await read(upstream, callOf(id));
  expect(service.requests).toHaveLength(5);
});

/** Fetches a new token each time, with the given lifetime. */
function tokens(expiresInSeconds?: number) {
  const requested: UpstreamCall[] = [];
  const fetch: FetchSecret = (call) => {
    requested.push(call);
    const secret = `token-${requested.length}`;
    return Promise.resolve({ secret, ...(expiresInSeconds && { expiresInSeconds }) });
  };
  return { requested, fetch };
}
const seen = () => service.requests.map(({ headers }) => headers.authorization);

test('a credential is fetched once for all waiting calls, and again before it expires [M31]', async () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  onTestFinished(() => {
    vi.useRealTimers();
  });
  service.reply(json({}));
  const { requested, fetch } = tokens(600);
  const { upstream } = open({ credentials: createCredentials(fetch) });
  await Promise.all([ann, bob, ann].map((call) => upstream.request(path`/a`, {}, call)));
  vi.advanceTimersByTime(539_000);
  await upstream.request(path`/a`, {}, ann);
  expect(requested.map(({ caller }) => caller.id)).toEqual(['server']);
  vi.advanceTimersByTime(2_000);
  await upstream.request(path`/a`, {}, ann);
  expect(seen()).toEqual([...Array<string>(4).fill('Bearer token-1'), 'Bearer token-2']);
});

test('a rejected credential is fetched again once; a second rejection is final [M31 M32]', async () => {
  service.reply(json({}, 401), json('fine'));
  const { requested, fetch } = tokens();
  const credentials = createCredentials(fetch, { header: 'x-key', scheme: 'Key' });
  const { upstream } = open({ credentials });
  // The rejected body was not processed: it can be sent again.
  expect(await upstream.request(path`/a`, { method: 'POST', body: {} }, ann)).toBe('fine');
  expect(service.requests.map(({ headers }) => headers['x-key'])).toEqual([
    'Key token-1',
    'Key token-2',
  ]);
  service.reply(json({}, 401));
  const failure = await failureOf(upstream.request(path`/a`, {}, ann));
  expect(errorText(failure)).toBe('Error: Invalid API authentication');
  expect([service.requests.length, requested.length]).toEqual([2, 3]);
});

test('concurrent rejections share one fetch of a new credential', async () => {
  service.reply((response, { headers }) => {
    response.writeHead(headers.authorization === 'Bearer token-1' ? 401 : 200).end('{}');
  });
  const { requested, fetch } = tokens();
  const { upstream } = open({ credentials: createCredentials(fetch) });
  await Promise.all(Array.from({ length: 5 }, () => upstream.request(path`/a`, {}, ann)));
  expect(requested).toHaveLength(2);
});

test('a caller’s own credential takes precedence over the fetched one, and is not fetched again [M31]', async () => {
  service.reply(json({}, 401));
  const { requested, fetch } = tokens();
  const credentials = createCredentials(fetch);
  credentials.keep(credentials.receive({ id: 'ann' }, 'own'));
  await failureOf(open({ credentials }).upstream.request(path`/a`, {}, ann));
  expect([seen(), requested]).toEqual([['Bearer own'], []]);
});

test('a failed fetch fails the waiting calls, and the next call tries again', async () => {
  service.reply(json({}));
  let isDown = true;
  const { upstream } = open({
    credentials: createCredentials(() =>
      isDown ? Promise.reject(new RangeError('planted')) : Promise.resolve({ secret: 'good' }),
    ),
  });
  const failures = await Promise.all(
    [ann, bob].map((call) => failureOf(upstream.request(path`/a`, {}, call))),
  );
  expect(failures.map((failure) => errorText(failure))).toEqual(
    Array(2).fill('Error: Unexpected error occurred: RangeError'),
  );
  isDown = false;
  await upstream.request(path`/a`, {}, ann);
  expect(seen()).toEqual(['Bearer good']);
});

test('a caller that cancels stops waiting for the credential, and the others still get it', async () => {
  service.reply(json({}));
  let give: (fetched: { secret: string }) => void = () => undefined;
  const fetching = new Promise<{ secret: string }>((resolve) => (give = resolve));
  const { upstream } = open({ credentials: createCredentials(() => fetching) });
  const leaving = new AbortController();
  const left = failureOf(
    upstream.request(path`/a`, {}, { caller: { id: 'ann' }, cancellation: leaving.signal }),
  );
  const stays = upstream.request(path`/b`, {}, bob);
  leaving.abort(new Error('gone'));
  expect(await left).toMatchObject({ message: 'gone' });
  give({ secret: 'good' });
  expect(await stays).toEqual({});
});
