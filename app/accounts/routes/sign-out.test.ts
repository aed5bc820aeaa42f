/** Signing out while the store is unavailable. */
import { expect, test, vi } from 'vitest';
import type * as Sessions from '@gatehouse/accounts/session/sessions';
import { StoreUnavailable } from '@gatehouse/store';
import { startSiteWithAccounts } from '~/testing/site-with-accounts';

const lost = vi.hoisted(() => ({ store: false }));

vi.mock('@gatehouse/server/log', () => import('~/testing/log-double'));
vi.mock('@gatehouse/accounts/mail/mailer', () => import('~/testing/mail-double'));
vi.mock('@gatehouse/accounts/password/cost', () => import('~/testing/cheap-passwords'));
vi.mock('@gatehouse/accounts/session/sessions', async (original) => {
  const real = await original<typeof Sessions>();
  return {
    ...real,
    endSessionOf: (request: Request) =>
      lost.store
        ? Promise.reject(new StoreUnavailable('unreachable', undefined))
        : real.endSessionOf(request),
  };
});

const { browser, member, signedIn } = await startSiteWithAccounts();

test('a sign-out while the store is unavailable deletes the cookie, and says that the session was not ended', async () => {
  const visitor = await signedIn(await member());
  const copies = new Map(visitor.cookies);
  lost.store = true;
  const left = await visitor.post('/sign-out', {});
  lost.store = false;
  expect([left.status, left.headers.get('retry-after')]).toEqual([503, '5']);
  expect(left.text).toContain('the session could not be ended on the server');
  expect(visitor.cookies.size).toBe(0);
  expect((await visitor.get('/settings')).status).toBe(302);

  // What the page says is true: a copy of the cookie is still a session, until it is ended.
  const copied = browser();
  for (const [name, value] of copies) copied.cookies.set(name, value);
  expect((await copied.get('/settings')).status).toBe(200);
  expect((await copied.post('/sign-out', {})).status).toBe(303);
});
