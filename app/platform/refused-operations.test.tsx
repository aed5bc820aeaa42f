/** A refused operation of the SDK, as seen through any route that does not catch it. */
import type { LoaderFunctionArgs } from '@remix-run/node';
import { beforeEach, expect, test, vi } from 'vitest';
import { json, reset } from '@gatehouse/platform/testing/upstream-double';
import { createPlatformSdk, requirePlatformSdk, requirePlatformUser } from '~/platform.server';
import { lines, logged } from '~/testing/log-double';
import { startSiteOnPlatform } from '~/testing/platform/site-on-platform';
import { post } from '~/testing/whole-site';
import feature from './feature.server';

vi.mock('@gatehouse/server/log', () => import('~/testing/log-double'));

const list = async (args: LoaderFunctionArgs) => {
  const { sdk } = await requirePlatformSdk(args);
  return Response.json(await sdk.generations.list());
};
/** Says the same with the guard's result. */
const listByGuard = async (args: LoaderFunctionArgs) =>
  Response.json(await createPlatformSdk(await requirePlatformUser(args)).generations.list());
const page = () => <h1>Pictures</h1>;
const { platform, site } = await startSiteOnPlatform({
  pictures: { loader: list, action: list, default: page },
  'api/pictures': { loader: list, action: listByGuard, default: undefined },
});
feature.onStart();

beforeEach(() => {
  platform.on('/user', json(200, { id: 'u1', name: 'Ada' }));
  lines.length = 0;
});

const requests = [
  ['a page', '/pictures', undefined],
  ['a form', '/pictures', post({ text: 'x' })],
  ['the data of a page', '/pictures.data', undefined],
  ['a resource', '/api/pictures', undefined],
  ['an action of a resource', '/api/pictures', post({ text: 'x' })],
] as const;

test.each(requests)(
  '%s answers a refusal with its status and the site’s own code, and logs no error [W11] [W33]',
  async (_, path, init) => {
    platform.on('/generations', json(403, { error: 'canary', message: 'canary' }));
    const response = await site.send(path, init);
    const text = await response.text();
    expect([response.status, text.includes('canary')]).toEqual([403, false]);
    if (path === '/api/pictures') {
      expect(JSON.parse(text)).toEqual({ error: 'forbidden' });
      expect([...response.headers.keys()].sort()).toEqual(['cache-control', 'content-type']);
    }
    expect(logged()).toEqual([]);
  },
);

test.each(requests)(
  'an outage that %s meets is one warning without a stack [W33]',
  async (_, path, init) => {
    platform.on('/generations', reset);
    const response = await site.send(path, init);
    expect(response.status).toBe(502);
    expect(logged()).toMatchObject([
      { level: 40, path: '/generations', msg: 'no answer from the platform' },
    ]);
    expect(JSON.stringify(logged())).not.toMatch(/stack|127\.0\.0\.1/);
  },
);

test('a profile that names nobody to act for is a 502, where the SDK is used [W08] [W13]', async () => {
  platform.on('/user', json(200, null));
  expect((await site.send('/pictures')).status).toBe(502);
  const response = await site.send('/api/pictures');
  expect([response.status, await response.json()]).toEqual([
    502,
    { error: 'upstream_unavailable' },
  ]);
});

test('any other error is a bug of the site', () => {
  const context = { kind: 'resource' } as Parameters<typeof feature.responseFor>[1];
  expect(feature.responseFor(new Error('canary'), context)).toBeUndefined();
});
