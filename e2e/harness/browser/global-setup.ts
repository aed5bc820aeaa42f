/** Stops before the first test, with one sentence, when a browser or the build is missing. */
import { access } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { findBrowser } from './browser';
import { siteEntry } from './fixtures';

export default async function setUp(): Promise<void> {
  await findBrowser();
  const entry = fileURLToPath(new URL(`../../../${siteEntry}`, import.meta.url));
  await access(entry).catch(() => {
    throw new Error('The site is not built: run `npm run build` first.');
  });
}
