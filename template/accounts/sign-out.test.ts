/** Signing out while the store is unavailable. */
import { expect, test, vi } from 'vitest';
import { StoreUnavailable } from '@gatehouse/store';
import type * as Accounts from '~/accounts.server';
import { startSiteWithAccounts } from '~/testing/site-with-accounts';

const lost = vi.hoisted(() => ({ store: false }));

vi.mock('@gatehouse/server/log', () => import('@gatehouse/server/testing/log-double'));
vi.mock('@gatehouse/accounts/mailer', () => import('@gatehouse/accounts/testing/mail-double'));
vi.mock('@gatehouse/accounts/costs', () => import('@gatehouse/accounts/testing/low-costs'));
vi.mock('~/accounts.server', async (original) => {
  const real = await original<typeof Accounts>();
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
