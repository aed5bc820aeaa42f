/** Writes that the platform confirms by their status alone, with an empty body. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { toSafeProfile } from '@gatehouse/platform';
import { onUpstreamFailure } from '@gatehouse/platform/server';
import { ada } from '~/testing/platform/platform-with-ada';
import { startStudioOnPlatform } from '~/testing/studio/studio-on-platform';
import { bytes } from '@gatehouse/platform/testing/upstream-double';

const { platform, site, signIn } = await startStudioOnPlatform();

const logged: unknown[] = [];
onUpstreamFailure((failure) => logged.push(failure));
beforeEach(signIn);
afterEach(() => {
  expect(logged.splice(0)).toEqual([]);
});

const orders = `/api/generations?account=${toSafeProfile(ada).key}`;

const headers = {
  origin: 'https://site.example',
  'content-type': 'application/json',
  'idempotency-key': 'order-0000-0001',
};

const seen = async (response: Response) => [response.status, await response.text()];

describe.each([200, 202, 204])('with an empty %i', (status) => {
  test.each([
    ['POST', '/generations/g1/cancel'],
    ['POST', '/generations/g1/restore'],
    ['DELETE', '/generations/g1'],
    ['DELETE', '/media/m1'],
  ])('%s %s has succeeded: 204, and nothing is logged', async (method, path) => {
    platform.on(path, bytes(status, ''));
    expect(await seen(await site.send(`/api${path}`, { method, headers }))).toEqual([204, '']);
    expect(platform.to(path)).toHaveLength(1);
  });

  test('the choice of a workspace has succeeded: 204', async () => {
    platform.on('/workspaces/w1/choose', bytes(status, ''));
    const body = JSON.stringify({ id: 'w1' });
    const response = await site.send('/api/workspaces', { method: 'POST', headers, body });
    expect(await seen(response)).toEqual([204, '']);
  });

  test('an order is not: its key makes another try safe', async () => {
    platform.on('/generations', bytes(status, ''));
    const body = JSON.stringify({ prompts: ['a fox'] });
    const response = await site.send(orders, { method: 'POST', headers, body });
    expect(await seen(response)).toEqual([502, '{"error":"upstream_unavailable"}']);
    expect(logged.splice(0)).toHaveLength(1);
  });
});
