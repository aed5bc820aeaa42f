/** Findings about routes that need a site account, and about the accounts themselves. */
import type { FindingMeaning } from './finding.ts';

const page = 'docs/recipes/accounts/account-page.md';
const site = 'docs/proof.md';
const security = 'docs/security.md';

export const accountFindings = {
  'signed-out/account-not-refused': {
    clauses: ['W15', 'W29'],
    remedy:
      'Call `requireAccount({ request, context })` first in the loader and in the action, or change `handle.access`.',
    recipe: page,
  },
  'signed-out/store-changed': {
    clauses: ['W09', 'W19'],
    remedy:
      'Await `requireAccount({ request, context })` before you read the body or write to the store.',
    recipe: page,
  },
  'signed-out/no-account': {
    clauses: ['W29'],
    remedy: 'Describe sign-up and sign-in in `accounts` in `e2e/site.ts`.',
    recipe: site,
  },
  'guard-first/account-for-platform': {
    clauses: ['W29', 'W30'],
    remedy:
      'Call `checkPlatformUser(context)` and return when it is not ok: a site account is not a platform session.',
    recipe: 'docs/recipes/platform/guarded-page.md',
  },
  'leaks/account-secret': {
    clauses: ['W33'],
    remedy:
      'Return and log fields by name. Leave out submitted passwords, password hashes, session tokens and their digests.',
    recipe: security,
  },
  'other-people/role-not-refused': {
    clauses: ['W19'],
    remedy:
      "Call `requireAccount(args, { role: '…' })` first in the loader and in the action, with the role that the route's `handle` names.",
    recipe: 'docs/recipes/accounts/roles.md',
  },
  'other-people/row-shown': {
    clauses: ['W19'],
    remedy:
      "Select the row by its id and its owner (`.where('account_id', '=', account.id)`), and respond with 404 where there is none.",
    recipe: page,
  },
  'other-people/row-changed': {
    clauses: ['W19'],
    remedy:
      "Update or delete the row by its id and its owner (`.where('account_id', '=', account.id)`). Take the owner from the guard, never from the form.",
    recipe: page,
  },
  'other-people/not-published': {
    clauses: ['W19'],
    remedy:
      'Add to the query the condition under which a row is public, so that drafts and withdrawn rows are not found. If everybody may see these columns, or everybody who has the role that the route needs, name them in `published` in `e2e/site.ts`.',
    recipe: 'docs/recipes/accounts/published-rows.md',
  },
  'other-people/published-elsewhere': {
    clauses: ['W19'],
    remedy:
      "Select only the visitor's own rows (`.where('account_id', '=', account.id)`). If the page is to show what others publish, declare `shows: 'published'` in its `handle`.",
    recipe: 'docs/recipes/accounts/published-rows.md',
  },
  'trouble/store-error': {
    clauses: ['W33'],
    remedy:
      'Let the `StoreUnavailable` that `store()` throws propagate: `app/server/site.ts` turns it into a 503. To keep the submitted values, catch it with `isStoreUnavailable`.',
    recipe: page,
  },
  'trouble/store-no-response': {
    clauses: ['W33'],
    remedy:
      'Access the database only through `store()` in `app/store.server.ts`, whose waits time out.',
    recipe: page,
  },
  'trouble/store-not-recovered': {
    clauses: ['W33'],
    remedy: 'Do not cache a store failure: query the store again in the next request.',
    recipe: page,
  },
  'other-sites/store-changed': {
    clauses: ['W19'],
    remedy:
      'Serve the site with `@gatehouse/server`, which rejects cross-site writes before any route runs.',
    recipe: security,
  },
} as const satisfies Record<string, FindingMeaning>;
