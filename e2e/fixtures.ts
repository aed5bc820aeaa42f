/** The import for flows: Playwright's `test`, set up with this site and its platform. */
import { fixturesFor } from './harness/browser/fixtures';
import site from './site';

export * from './harness/browser/fixtures';

/** The names of your sign-in and sign-out buttons. */
export const test = fixturesFor(site, { signIn: 'Sign in', signOut: 'Sign out' });
