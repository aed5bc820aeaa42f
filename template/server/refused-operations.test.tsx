/** A refused operation of the SDK, as seen through any route that does not catch it. */
import type { LoaderFunctionArgs } from '@remix-run/node';
import { beforeEach, expect, test, vi } from 'vitest';
import { json, reset } from '@gatehouse/platform/testing/upstream-double';
import { createPlatformSdk, requirePlatformSdk, requirePlatformUser } from '~/platform.server';
import { lines, logged } from '@gatehouse/server/testing/log-double';
import { startSiteOnPlatform } from '~/testing/platform/site-on-platform';
import { post } from '@gatehouse/server/remix/testing';
import feature from '~/platform/feature.server';

vi.mock('@gatehouse/server/log', () => import('@gatehouse/server/testing/log-double'));

const list = async (args: LoaderFunctionArgs) => {
  const { sdk } = await requirePlatformSdk(args);
  return Response.json(await sdk.bookmarks.list());
};
/** Says the same with the guard's result. */
const listByGuard = async (args: LoaderFunctionArgs) =>
  Response.json(await createPlatformSdk(await requirePlatformUser(args)).bookmarks.list());
const page = () => <h1>Bookmarks</h1>;
const { platform, site } = await startSiteOnPlatform({
  bookmarked: { loader: list, action: list, default: page },
  'api/bookmarked': { loader: list, action: listByGuard, default: undefined },
});
feature.onStart();

beforeEach(() => {
  platform.on('/user', json(200, { id: 'u1', name: 'Ada' }));
  lines.length = 0;
});

const requests = [
  ['a page', '/bookmarked', undefined],
  ['a form', '/bookmarked', post({ text: 'x' })],
  ['the data of a page', '/bookmarked.data', undefined],
  ['a resource', '/api/bookmarked', undefined],
  ['an action of a resource', '/api/bookmarked', post({ text: 'x' })],
] as const;

test.each(requests)(
  '%s answers a refusal with its status and the site’s own code, and logs no error [W11] [W33]',
  async (_, path, init) => {
    platform.on('/bookmarks', json(403, { error: 'canary', message: 'canary' }));
    const response = await site.send(path, init);
    const text = await response.text();
    expect([response.status, text.includes('canary')]).toEqual([403, false]);
    if (path === '/api/bookmarked') {
      expect(JSON.parse(text)).toEqual({ error: 'forbidden' });
      expect([...response.headers.keys()].sort()).toEqual(['cache-control', 'content-type']);
    }
    expect(logged()).toEqual([]);
  },
);

test.each(requests)(
  'an outage that %s meets is one warning without a stack [W33]',
  async (_, path, init) => {
    platform.on('/bookmarks', reset);
    const response = await site.send(path, init);
    expect(response.status).toBe(502);
    expect(logged()).toMatchObject([
      { level: 40, path: '/bookmarks', msg: 'no answer from the platform' },
    ]);
    expect(JSON.stringify(logged())).not.toMatch(/stack|127\.0\.0\.1/);
  },
);

test('a profile that names nobody to act for is a 502, where the SDK is used [W08] [W13]', async () => {
  platform.on('/user', json(200, null));
  expect((await site.send('/bookmarked')).status).toBe(502);
  const response = await site.send('/api/bookmarked');
  expect([response.status, await response.json()]).toEqual([
    502,
    { error: 'upstream_unavailable' },
  ]);
});

test('any other error is a bug of the site', () => {
  const context = { kind: 'resource' } as Parameters<typeof feature.responseFor>[1];
  expect(feature.responseFor(new Error('canary'), context)).toBeUndefined();
});
