/** The import for flows: Playwright's `test`, set up with this site and its platform. */
import { fixturesFor } from '@gatehouse/simulator/fixtures';
import site from './site';

export * from '@gatehouse/simulator/fixtures';

/** What your sign-in and sign-out buttons say. */
export const test = fixturesFor(site, { signIn: 'Sign in', signOut: 'Sign out' });
