/** What the site finishes before it stops. */
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test, vi } from 'vitest';
import type * as Hashing from '@gatehouse/accounts/hashing';
import type { AccountTables } from '@gatehouse/accounts';
import { openStore, store } from '~/store.server';
import { sentMails } from '@gatehouse/accounts/testing/mail-double';
import { startSiteWithAccounts } from '~/testing/site-with-accounts';
import { site } from '~/server/site';

/** Holds the hash of the sign-up's password. */
const hashing = vi.hoisted(() => {
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  return { release, released };
});

vi.mock('@gatehouse/server/log', () => import('@gatehouse/server/testing/log-double'));
vi.mock('@gatehouse/accounts/mailer', () => import('@gatehouse/accounts/testing/mail-double'));
vi.mock('@gatehouse/accounts/costs', () => import('@gatehouse/accounts/testing/low-costs'));

vi.mock('@gatehouse/accounts/hashing', async (original) => {
  const real = await original<typeof Hashing>();
  return {
    ...real,
    hashPassword: async (password: string) => {
      await hashing.released;
      return real.hashPassword(password);
    },
  };
});

const url = `file:${await mkdtemp(path.join(tmpdir(), 'stop-'))}/site.db`;
const { browser, person } = await startSiteWithAccounts(() => Promise.resolve(url));

test('a sign-up that was answered is finished before the store closes, and its mail is sent', async () => {
  const ada = person();
  const response = await browser().post('/sign-up', { ...ada });
  expect(response.text).toContain('Check your e-mail');
  const stopped = site.onStop?.();
  hashing.release();
  await stopped;
  expect(sentMails.map(({ to }) => to)).toEqual([ada.email]);
  await openStore({ url });
  const rows = await store<AccountTables>().selectFrom('account').select('email').execute();
  expect(rows).toEqual([{ email: ada.email }]);
});
