/** Global setup: stops before the first test, with one sentence, when the site is not built. */
import { access } from 'node:fs/promises';
import { siteEntry } from './fixtures.ts';

export default async function checkBuild(): Promise<void> {
  await access(siteEntry).catch(() => {
    throw new Error('The site is not built: run `npm run build` first.');
  });
}
