/** Stands in for the site's own accounts, so that the tests pass in a site without them. */
import { defineAccounts } from '../installed/@gatehouse/accounts';

export const { changeName, checkAccount, requireAccount } = defineAccounts({});
