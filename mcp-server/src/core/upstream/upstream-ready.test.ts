/** What `/readyz` asks of the wrapped service: whether it can be reached, and whether it takes the server's key. */
import { expect, test } from 'vitest';
import { failureOf, useService } from '../../../test/doubles/open-upstream.ts';
import { hang, json, refusingUrl } from '../../../test/doubles/upstream-double.ts';
import type { UpstreamOptions } from './client.ts';
import { createCredentials } from './credentials.ts';
import { path } from './path.ts';

const { service, open } = useService();

test('knows whether the service can be reached', async () => {
  const { signal } = new AbortController();
  const reachable = (options?: Partial<UpstreamOptions>) =>
    open(options).upstream.isReachable(signal);
  service.reply(json({}, 401));
  expect(await reachable({ baseUrl: `${service.url}/api/` })).toBe(true);
  expect(service.requests).toMatchObject([{ method: 'GET', url: '/api' }]);
  expect(await open().upstream.isReachable(AbortSignal.abort())).toBe(false);
  service.reply(json({}, 502));
  expect(await reachable()).toBe(false);
  service.reply(hang);
  expect(await reachable({ timeoutMs: 50 })).toBe(false);
  expect(await reachable({ baseUrl: await refusingUrl() })).toBe(false);
});

test('a service whose body never ends can be reached, time after time', async () => {
  service.reply((response) => response.writeHead(200).write('and so on'));
  const { upstream } = open();
  const { signal } = new AbortController();
  expect(await upstream.isReachable(signal)).toBe(true);
  expect(await upstream.isReachable(signal)).toBe(true);
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

const endpoint = path`/me`;
const ready = (options: Partial<UpstreamOptions>, { signal } = new AbortController()) =>
  open(options).upstream.isReady(endpoint, signal);

test('is ready when it lets the server’s own key read the endpoint, and not when it refuses [M31]', async () => {
  const credentials = createCredentials('the-key');
  service.reply(json({}));
  expect(await ready({ credentials })).toBe(true);
  expect(service.requests[0]).toMatchObject({
    method: 'GET',
    url: '/me',
    headers: { authorization: 'Bearer the-key' },
  });
  for (const status of [401, 403, 404, 500]) {
    service.reply(json({}, status));
    expect([status, await ready({ credentials })]).toEqual([status, false]);
  }
  expect(await ready({ credentials, baseUrl: await refusingUrl() })).toBe(false);
});

test('a service that has too much to do is ready', async () => {
  const credentials = createCredentials('the-key');
  service.reply(json({}, 429));
  expect(await ready({ credentials })).toBe(true);
  service.reply(hang, json({}));
  const { upstream, call } = open({ credentials, concurrency: 1 });
  const asked = service.next();
  const held = failureOf(call());
  await asked;
  expect(await upstream.isReady(endpoint, new AbortController().signal)).toBe(true);
  await upstream.close();
  await held;
});

test('a key that is fetched is fetched anew where it is refused; one that cannot be had is none [M31]', async () => {
  const keys = ['old', 'new'];
  const credentials = createCredentials(() => Promise.resolve({ secret: keys.shift() ?? '' }));
  service.reply(json({}, 401), json({}));
  expect(await ready({ credentials })).toBe(true);
  expect(service.requests.map(({ headers }) => headers.authorization)).toEqual([
    'Bearer old',
    'Bearer new',
  ]);
  const unreachable = createCredentials(() => Promise.reject(new Error('no vault')));
  expect(await ready({ credentials: unreachable })).toBe(false);
});

test('without a key of the server’s own it is enough that it answers', async () => {
  service.reply(json({}, 401));
  expect(await ready({ credentials: createCredentials() })).toBe(true);
  expect(service.requests[0]?.url).toBe('/');
});
