import { once } from 'node:events';
import { request } from 'node:http';
import { connect, Socket } from 'node:net';
import { beforeEach, expect, test, vi } from 'vitest';
import { site as config } from '~/site.config';
import { startOthers } from '~/testing/other-features';
import { siteOrigin, startSite } from '~/testing/whole-site';

await startOthers('platform');
vi.stubEnv('OFFLINE_DEMO', '1');
vi.stubEnv('PLATFORM_INTERNAL_URL', undefined);

/** One entry for each connection that anything in this process tried to open. */
const calls: unknown[] = [];

beforeEach(() => {
  calls.length = 0;
  // Every client's connection starts here, with or without TLS.
  vi.spyOn(Socket.prototype, 'connect').mockImplementation((...call: unknown[]) => {
    calls.push(call);
    throw new Error('the demo opened a connection');
  });
});

test('the demo serves every page and resource, identifies itself as a demo, and opens no connection [W31]', async () => {
  const site = await startSite();
  for (const [path, init] of site.everyRequest) {
    const { status } = await site.send(path, init);
    const { handle } = await site.match(new URL(path, siteOrigin));
    // A webhook has no secret here, so it answers 503.
    const isFine = status < 500 || (handle.access === 'machine' && status === 503);
    expect([path, status, isFine]).toEqual([path, status, true]);
  }
  for (const { to } of config.menu) {
    const response = await site.send(to);
    // Nobody has a site account here, and a page may redirect.
    if (response.status >= 300 && response.status < 400) continue;
    expect([to, response.status]).toEqual([to, 200]);
    expect(await response.text()).toContain('Offline demo');
  }
  // Only pages set the identifying cookie.
  expect((await site.send('/api/user')).status).toBe(401);
  expect(calls).toEqual([]);
});

const nowhere = 'http://127.0.0.1:40009/';

test.each<[string, () => Promise<unknown>]>([
  ['the global fetch', () => fetch(nowhere)],
  ['undici’s fetch', async () => (await import('undici')).fetch(nowhere)],
  ['undici’s request', async () => (await import('undici')).request(nowhere)],
  ['a request of node:http', async () => once(request(nowhere).end(), 'response')],
  ['fetch over TLS', () => fetch(nowhere.replace('http:', 'https:'))],
  ['a bare socket', async () => once(connect(40009, '127.0.0.1'), 'connect')],
])('detects a connection by %s', async (_, call) => {
  await expect(call()).rejects.toThrow();
  expect(calls.length).toBeGreaterThan(0);
});
