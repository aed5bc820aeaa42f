/** Queueing, cancellation and clean-up of upstream calls. */
import { getEventListeners, once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { createServer, type AddressInfo } from 'node:net';
import { Client } from 'undici';
import { expect, onTestFinished, test } from 'vitest';
import { failureOf, useService } from '../../../../test/doubles/open-upstream.ts';
import { endless, hang, json } from '../../../testing/upstream-double.ts';
import { sendRequest } from '../request/send-request.ts';
import { LightSignal } from '../../context/cancellation.ts';
import { path } from '../path.ts';
import { errorText } from '../../result/errors.ts';
import { CallSignal } from '../request/call-signal.ts';
import { FairQueue } from './fair-queue.ts';

const { service, open } = useService();

const unexpected = (name: string) => `Error: Unexpected error occurred: ${name}`;

test('if the caller cancels, the upstream call is aborted with the caller’s reason', async () => {
  service.reply(hang);
  const leaving = new AbortController();
  const reason = new Error('gone');
  const requested = service.next();
  const failure = failureOf(open().call({}, leaving.signal));
  const { cut } = await requested;
  leaving.abort(reason);
  expect(await failure).toBe(reason);
  await cut;
});

test('a finished call leaves no listener on its caller’s signal, and no timer', async () => {
  service.reply(json({}), json({}, 500));
  const { signal } = new AbortController();
  const timers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
  const { call } = open();
  const before = timers();
  await call({}, signal);
  expect(getEventListeners(signal, 'abort')).toEqual([]);
  expect(timers()).toBeLessThanOrEqual(before);
  await failureOf(call({}, signal));
  expect(getEventListeners(signal, 'abort')).toEqual([]);
});

test('a call that is already cancelled sends nothing', async () => {
  service.reply(json({}));
  const reason = new Error('gone');
  expect(await failureOf(open().call({}, AbortSignal.abort(reason)))).toBe(reason);
  expect(service.requests).toHaveLength(0);
});

test('calls run concurrently up to the limit [M06]', async () => {
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
    // Waits for a round trip, after which no further call has arrived.
    await upstream.isReady(path`/`, new AbortController().signal);
    expect(held).toHaveLength(expected);
    for (const response of held.splice(0)) response.end('{}');
  }
  await Promise.all(calls);
});

test('a caller with many calls does not delay others by all of them', async () => {
  service.reply((response) => setImmediate(() => response.end('{}')));
  const { upstream } = open({ concurrency: 1 });
  const requested = (who: string) => {
    const cancellation = new LightSignal();
    return upstream.request(path`/${who}`, {}, { cancellation, caller: { id: who } });
  };
  const crowd = Array.from({ length: 20 }, () => requested('anna'));
  await Promise.all([...crowd, requested('bert'), requested('carl'), requested('bert')]);
  const order = service.requests.map(({ url }) => url.slice(1));
  expect(order.slice(0, 6)).toEqual(['anna', 'anna', 'bert', 'carl', 'anna', 'bert']);
  expect(order).toHaveLength(23);
});

test('queueing counts against the deadline', async () => {
  service.reply(hang);
  const { call } = open({ concurrency: 1, timeoutMs: 300 });
  const texts = [call(), call()].map(async (call) => errorText(await failureOf(call)));
  const timedOut = 'Error: Request timed out. Please try again.';
  expect(await Promise.all(texts)).toEqual([timedOut, timedOut]);
});

test('a call that is cancelled in the queue leaves it without blocking others', async () => {
  const held: (() => void)[] = [];
  service.reply((response) => held.push(() => response.end('"first"')), json('third'));
  const { call } = open({ concurrency: 1 });
  const leaving = new AbortController();
  const requested = service.next();
  const first = call();
  const second = failureOf(call({}, leaving.signal));
  const third = call();
  await requested;
  leaving.abort(new Error('gone'));
  expect(await second).toMatchObject({ message: 'gone' });
  for (const respond of held) respond();
  expect(await Promise.all([first, third])).toEqual(['first', 'third']);
  expect(service.requests).toHaveLength(2);
});

test('a connection that is never established times out, like the calls that wait for it [M33]', async () => {
  // The TLS handshake never begins.
  const made: Promise<unknown>[] = [];
  const silent = createServer((socket) => made.push(once(socket.resume(), 'close')));
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void silent.close());
  const baseUrl = `https://127.0.0.1:${(silent.address() as AddressInfo).port}`;
  // A call with a later deadline: the connection was started by another call.
  const { signal } = new AbortController();
  const dispatcher = new Client(baseUrl, { connect: { timeout: 1 } });
  onTestFinished(() => dispatcher.destroy());
  const stop = new CallSignal(signal, 60_000);
  const request = { method: 'GET', path: '/' } as const;
  const waiting = sendRequest(
    { dispatcher, request, queue: new FairQueue(1), caller: 'local' },
    stop,
  );
  const failures = [open({ baseUrl, timeoutMs: 100 }).call(), waiting].map(failureOf);
  const timedOut = 'Error: Request timed out. Please try again.';
  expect((await Promise.all(failures)).map((error) => errorText(error))).toEqual([
    timedOut,
    timedOut,
  ]);
  stop.end();
  expect(made).toHaveLength(2);
  await Promise.all(made);
});

test('an endless error response blocks neither the call nor its connection', async () => {
  service.reply(endless(500));
  const requested = service.next();
  expect(await failureOf(open().call())).toMatchObject({ status: 500 });
  await (
    await requested
  ).cut;
});

test('closing aborts a long queue, and frees every slot', async () => {
  service.reply(hang);
  const { upstream, call } = open({ concurrency: 2 });
  const requested = service.next();
  const crowd = Array.from({ length: 5_000 }, () => failureOf(call()));
  await requested;
  await upstream.close();
  for (const failure of await Promise.all(crowd)) {
    expect(failure).toMatchObject({ name: 'UpstreamConnectionError' });
  }
});

test('a body that cannot be encoded leaves no timer', async () => {
  const timers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
  const { call } = open();
  const before = timers();
  expect(await failureOf(call({ method: 'POST', body: 1n }))).toBeInstanceOf(TypeError);
  expect(timers()).toBeLessThanOrEqual(before);
});

test('closing aborts calls in progress', async () => {
  service.reply(hang);
  const { upstream, call } = open();
  const requested = service.next();
  const failure = failureOf(call());
  await requested;
  await upstream.close();
  expect(errorText(await failure)).toBe(unexpected('UpstreamConnectionError'));
  expect(errorText(await failureOf(call()))).toBe(unexpected('UpstreamConnectionError'));
});
