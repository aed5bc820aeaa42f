/** An unavailable store, as seen through any route. */
import { expect, test, vi } from 'vitest';
import { StoreUnavailable } from '@gatehouse/store';
import { logged } from '@gatehouse/server/testing/log-double';
import { startOthers } from '~/testing/other-features';
import { post } from '@gatehouse/server/remix/testing';
import { startSite } from '~/testing/whole-site';

vi.mock('@gatehouse/server/log', () => import('@gatehouse/server/testing/log-double'));

const lost = () => {
  const own = new StoreUnavailable('unreachable', new Error('canary: connect 10.0.0.7:5432'));
  // Wrapped, as a library does.
  throw new Error('canary: the library failed', { cause: own });
};
const broken = () => {
  throw new Error('canary: a mistake');
};
const handle = { access: 'none' } as const;
const page = () => <h1>Shelf</h1>;
await startOthers('accounts');
const site = await startSite({
  shelf: { handle, loader: lost, action: lost, default: page },
  'api/shelf': { handle, loader: lost, action: lost, default: undefined },
  mistake: { handle, loader: broken, default: page },
});

test.each([
  ['a page', '/shelf', undefined],
  ['a form', '/shelf', post({ text: 'x' })],
  ['the data of a page', '/shelf.data', undefined],
  ['a resource', '/api/shelf', undefined],
  ['an action of a resource', '/api/shelf', post({ text: 'x' })],
])(
  '%s responds with 503, and reveals nothing about the database [W33]',
  async (what, path, init) => {
    const response = await site.send(path, init);
    const text = await response.text();
    expect([what, response.status, text.includes('canary')]).toEqual([what, 503, false]);
    if (path === '/shelf') expect(text).toContain('This is temporarily unavailable');
    if (path === '/api/shelf') expect(JSON.parse(text)).toEqual({ error: 'store_unavailable' });
    expect(logged().at(-1)).toMatchObject({ level: 40, reason: 'unreachable' });
  },
);

test('any other error is a bug of the site, and stays a 500', async () => {
  expect((await site.send('/mistake')).status).toBe(500);
  expect(logged().at(-1)).toMatchObject({ level: 50 });
});
