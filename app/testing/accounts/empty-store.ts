/** The site's store, empty. */
import { openEmptyStore } from '@gatehouse/store/testing/empty-store';
import * as siteStore from '~/store.server';

/** @param address returns the `DATABASE_URL` of an empty store, for stores that are not a file. */
export function startStore(address?: () => Promise<string>): void {
  openEmptyStore(siteStore, address);
}
