/** The site's store, empty. */
import { openEmptyStore } from '@gatehouse/store/testing/empty-store';
import * as siteStore from '~/store.server';

/** @param databaseUrl returns the `DATABASE_URL` of an empty store, for stores that are not a file. */
export function startStore(databaseUrl?: () => Promise<string>): void {
  openEmptyStore(siteStore, databaseUrl);
}
