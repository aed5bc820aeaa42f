/** Which calls are retried, and when. */
import { expect, onTestFinished, test, vi } from 'vitest';
import { failureOf, useService } from '../../../../test/doubles/open-upstream.ts';
import { json, refusingUrl } from '../../../testing/upstream-double.ts';
import { errorText } from '../../result/errors.ts';

const { service, open } = useService();

const unexpected = (name: string) => `Error: Unexpected error occurred: ${name}`;

test.each([429, 503])('%i with Retry-After is retried after that time', async (status) => {
  const inSeconds = json({}, status, { 'x-hint': 'retry-after', 'retry-after': '2' });
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

test('the delay before a retry is real', async () => {
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

test('a call is sent three times at most, and fails with its last error', async () => {
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

test.each(['PUT', 'DELETE'] as const)('a %s is safe to retry', async (method) => {
  service.reply(json({}, 503, { 'retry-after': '1' }), json('done'));
  expect(await open().call({ method })).toBe('done');
});

test('an idempotency key makes a POST safe to retry, with the same key', async () => {
  service.reply(json({}, 503, { 'retry-after': '1' }), json('made', 201));
  const { call } = open();
  expect(await call({ method: 'POST', body: {}, idempotencyKey: 'k-1' })).toBe('made');
  expect(service.requests.map(({ headers }) => headers['idempotency-key'])).toEqual(['k-1', 'k-1']);
});

test('a refused connection is retried, and then reported as a connection error [M33]', async () => {
  const { call, waits } = open({ baseUrl: await refusingUrl() });
  expect(errorText(await failureOf(call()))).toBe(unexpected('UpstreamConnectionError'));
  expect(waits).toHaveLength(2);
  waits.length = 0;
  await failureOf(call({ method: 'POST' }));
  expect(waits).toHaveLength(0);
});

test('a retry that would exceed the deadline is not waited for', async () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  onTestFinished(() => {
    vi.useRealTimers();
  });
  service.reply((response, request) => {
    vi.advanceTimersByTime(30_000);
    json({}, 503, { 'retry-after': '30' })(response, request);
  });
  const { call, waits } = open({ timeoutMs: 60_000 });
  expect(await failureOf(call())).toMatchObject({ status: 503 });
  expect(waits).toEqual([]);
});

test('cancelling ends the wait before a retry', async () => {
  const leaving = new AbortController();
  service.reply(json({}, 503, { 'retry-after': '20' }));
  const wait = (_: number, signal: AbortSignal) => {
    leaving.abort(new Error('gone'));
    expect(signal.aborted).toBe(true);
    return new Promise<void>(() => undefined);
  };
  const { call } = open({ retry: { wait } });
  expect(await failureOf(call({}, leaving.signal))).toMatchObject({ message: 'gone' });
});

test('if the wait fails, the call fails', async () => {
  service.reply(json({}, 503, { 'retry-after': '1' }));
  const { call } = open({ retry: { wait: () => Promise.reject(new Error('no clock')) } });
  expect(await failureOf(call())).toMatchObject({ message: 'no clock' });
});
