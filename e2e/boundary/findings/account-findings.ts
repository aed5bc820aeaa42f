/** What a check says of a route that needs a site account, or of an account itself. */
import type { FindingMeaning } from './finding';

const page = 'docs/recipes/account-page.md';
const site = 'docs/proof.md';
const security = 'docs/security.md';

export const accountFindings = {
  'signed-out/account-not-refused': {
    clauses: ['W15', 'W29'],
    remedy:
      'Begin its loader and its action with `requireAccount({ request, context })`, or say another `handle.access`.',
    recipe: page,
  },
  'signed-out/store-changed': {
    clauses: ['W09', 'W19'],
    remedy:
      'Await `requireAccount({ request, context })` before the body is read and before anything is written.',
    recipe: page,
  },
  'signed-out/no-account': {
    clauses: ['W29'],
    remedy: 'Say in `accounts` of `e2e/site.ts` how somebody signs up and signs in.',
    recipe: site,
  },
  'guard-first/account-for-platform': {
    clauses: ['W29', 'W30'],
    remedy:
      'Ask `checkPlatformUser(context)`: who is signed in to a site account is nobody to the platform.',
    recipe: 'docs/recipes/guarded-page.md',
  },
  'leaks/account-secret': {
    clauses: ['W33'],
    remedy:
      'Return and log fields by name: no password that was typed, no hash of one, no session’s token nor its digest.',
    recipe: security,
  },
  'other-people/row-shown': {
    clauses: ['W19'],
    remedy:
      "Read a row by its id and its owner: `.where('account_id', '=', account.id)`; a 404 is the answer to everybody else.",
    recipe: page,
  },
  'other-people/row-changed': {
    clauses: ['W19'],
    remedy:
      "Change a row by its id and its owner: `.where('account_id', '=', account.id)`, and take the owner from the guard, never from a form.",
    recipe: page,
  },
  'trouble/store-error': {
    clauses: ['W33'],
    remedy:
      'Let the `StoreUnavailable` of `store()` pass, which `app/server/site.ts` answers with a 503, or catch it by `isStoreUnavailable` to keep what was typed.',
    recipe: page,
  },
  'trouble/store-no-answer': {
    clauses: ['W33'],
    remedy: 'Ask the database by `store()` of `app/store/store.server.ts` alone, whose waits end.',
    recipe: page,
  },
  'trouble/store-not-recovered': {
    clauses: ['W33'],
    remedy: 'Keep no failure of the store beyond its request: the next one asks it again.',
    recipe: page,
  },
  'other-sites/store-changed': {
    clauses: ['W19'],
    remedy: 'Serve the site by `site-server`, which refuses such requests before a route runs.',
    recipe: security,
  },
} as const satisfies Record<string, FindingMeaning>;
