/**
 * One test user has every role that a route's `handle` names, so that the checks see what such a page shows, and the other has none,
 * so that they see whom it refuses.
 */
import type { Route } from '../inventory/route.ts';
import type { Accounts } from '../people/accounts.ts';
import type { Store } from './store.ts';

/** @returns the accounts, of which one that signs up again gets its roles again. */
export function grantRoles(
  accounts: Accounts,
  store: Store | null,
  routes: readonly Route[],
): Accounts {
  const [first] = accounts.all;
  const named = new Set(routes.flatMap(({ role }) => role ?? []));
  if (!first || !store) return accounts;
  first.roles = new Set([...named].filter((role) => store.grant(first.email, role)));
  return {
    ...accounts,
    async renew(account) {
      await accounts.renew(account);
      for (const role of account.roles ?? []) store.grant(account.email, role);
    },
  };
}
