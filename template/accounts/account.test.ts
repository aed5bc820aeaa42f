/** What the guard says about an address that was not confirmed, because the site sends no mail. */
import { beforeEach, expect, test, vi } from 'vitest';
import type * as Env from '~/env.server';
import { store } from '~/store.server';
import { accountIn, startSiteWithAccounts, type Browser } from '~/testing/site-with-accounts';
import type { AccountTables } from '@gatehouse/accounts';

const mail = vi.hoisted((): { url: string | null } => ({ url: null }));

vi.mock('@gatehouse/server/log', () => import('@gatehouse/server/testing/log-double'));
vi.mock('@gatehouse/accounts/mailer', () => import('@gatehouse/accounts/testing/mail-double'));
vi.mock('@gatehouse/accounts/costs', () => import('@gatehouse/accounts/testing/low-costs'));
vi.mock('~/env.server', async (original) => {
  const real = await original<typeof Env>();
  return { ...real, siteEnv: () => ({ ...real.siteEnv(), smtpUrl: mail.url }) };
});

const smtp = 'smtp://127.0.0.1:9';

const { browser, person, signedIn } = await startSiteWithAccounts();

beforeEach(() => {
  mail.url = null;
});

async function signedUp(): Promise<Browser> {
  const ada = person();
  await browser().post('/sign-up', { ...ada });
  return signedIn(ada);
}

test('without mail, anybody can sign up with any address, and none is verified', async () => {
  const visitor = await signedUp();
  expect(await accountIn(visitor)).toMatchObject({ emailVerified: false });

  // Whatever the store says, from a time with mail.
  await store<AccountTables>().updateTable('account').set({ emailVerified: true }).execute();
  expect(await accountIn(visitor)).toMatchObject({ emailVerified: false });
  mail.url = smtp;
  expect(await accountIn(visitor)).toMatchObject({ emailVerified: true });
});

test('an account from a time without mail stays unverified in its sessions', async () => {
  const visitor = await signedUp();
  mail.url = smtp;
  expect(await accountIn(visitor)).toMatchObject({ emailVerified: false });
});
