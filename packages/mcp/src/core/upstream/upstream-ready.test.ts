/** The check for `/readyz`: whether the service accepts the server's credential. */
import { expect, test } from 'vitest';
import { failureOf, useService } from '../../../test/doubles/open-upstream.ts';
import { hang, json, refusingUrl } from '../../testing/upstream-double.ts';
import type { UpstreamOptions } from './client.ts';
import { createCredentials } from './credentials.ts';
import { path } from './path.ts';

const { service, open } = useService();

const endpoint = path`/me`;
const ready = (options: Partial<UpstreamOptions>, { signal } = new AbortController()) =>
  open(options).upstream.isReady(endpoint, signal);

test('is ready if the server’s own credential can read the endpoint, and not if it is rejected [M31]', async () => {
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

test('a busy service is ready', async () => {
  const credentials = createCredentials('the-key');
  service.reply(json({}, 429));
  expect(await ready({ credentials })).toBe(true);
  service.reply(hang, json({}));
  const { upstream, call } = open({ credentials, concurrency: 1 });
  const requested = service.next();
  const held = failureOf(call());
  await requested;
  expect(await upstream.isReady(endpoint, new AbortController().signal)).toBe(true);
  await upstream.close();
  await held;
});

test('a rejected fetched credential is fetched again; one that cannot be fetched makes it not ready [M31]', async () => {
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

test('without a credential of the server’s own, the endpoint is asked too, and its refusal is sufficient', async () => {
  const credentials = createCredentials();
  const statuses = [200, 401, 403, 404, 500].map((status) => [status, status < 404] as const);
  for (const [status, isReady] of statuses) {
    service.reply(json({}, status));
    expect([status, await ready({ credentials })]).toEqual([status, isReady]);
    expect(service.requests[0]?.url).toBe('/me');
  }
  service.reply(json({}));
  expect(await ready({})).toBe(true);
  expect(service.requests[0]?.url).toBe('/me');
});
