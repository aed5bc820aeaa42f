/** A store for the tests of a file, with the site's tables and no rows. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import type { SiteStore } from '../store.ts';

/**
 * Call once at the top of a test file.
 *
 * @param store what `defineStore` returned.
 * @param address returns the `DATABASE_URL` of an empty store that is not a file.
 */
export function openEmptyStore(
  { openStore, closeStore }: Omit<SiteStore, 'store'>,
  address?: () => Promise<string>,
): void {
  let folder = '';
  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'store-'));
    await openStore({ url: (await address?.()) ?? `file:${folder}/site.db` });
  });
  afterAll(async () => {
    await closeStore();
    await rm(folder, { recursive: true });
  });
}
