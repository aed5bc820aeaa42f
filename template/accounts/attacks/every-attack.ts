/** All attacks on accounts, for any database. */
import { beforeAll, describe } from 'vitest';
import type { AccountTables } from '@gatehouse/accounts';
import { store } from '~/store.server';
import type { SiteWithAccounts } from '~/testing/site-with-accounts';
import { attacksOnCredentials } from './credentials';
import { attacksByEnumeration } from './enumeration';
import { attacksOnSessions } from './sessions';

export function everyAttack(site: SiteWithAccounts): void {
  describe.each([
    ['credentials', attacksOnCredentials],
    ['enumeration', attacksByEnumeration],
    ['sessions', attacksOnSessions],
  ])('%s', (_, attacks) => {
    // Attempts of the previous group would count towards the limits of this one.
    beforeAll(async () => {
      await store<AccountTables>().deleteFrom('account_limit').execute();
    });
    attacks(site);
  });
}
