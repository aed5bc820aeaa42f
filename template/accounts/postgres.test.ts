/** Accounts on PostgreSQL: the suites that `app/accounts/` runs on a file store, and every attack. */
import { afterAll, describe, vi } from 'vitest';
import { settingsSuite } from './settings-suite';
import { signInSuite } from './sign-in-suite';
import { startSiteWithAccounts } from '~/testing/site-with-accounts';
import { hasPostgres, postgresDatabases } from '@gatehouse/store/testing/postgres-server';
import { everyAttack } from './attacks/every-attack';

vi.mock('@gatehouse/server/log', () => import('@gatehouse/server/testing/log-double'));
vi.mock('@gatehouse/accounts/mailer', () => import('@gatehouse/accounts/testing/mail-double'));
vi.mock('@gatehouse/accounts/costs', () => import('@gatehouse/accounts/testing/low-costs'));

describe.skipIf(!hasPostgres)('with PostgreSQL', async () => {
  if (!hasPostgres) return;
  const databases = await postgresDatabases();
  afterAll(() => databases.stop());
  const site = await startSiteWithAccounts(() => databases.newDatabase());
  describe('signing in', () => {
    signInSuite(site);
  });
  describe('settings', () => {
    settingsSuite(site);
  });
  everyAttack(site);
});
