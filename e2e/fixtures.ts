/** The import for flows: Playwright's `test`, set up with this site and its platform. */
import { fixturesFor } from './harness/browser/fixtures';
import site from './site';

export * from './harness/browser/fixtures';

export const test = fixturesFor(site);
