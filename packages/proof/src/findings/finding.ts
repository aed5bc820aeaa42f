/** The findings that checks report. Codes are stable, because site generators act on them. */
import { accountFindings } from './account-findings.ts';
import { browserFindings } from './browser-findings.ts';

export const checkNames = [
  'signed-out',
  'guard-first',
  'leaks',
  'other-people',
  'kept',
  'trouble',
  'other-sites',
  'signed-out-page',
  'frame',
  'everybody',
] as const;

export type CheckName = (typeof checkNames)[number];

export interface Finding {
  code: FindingCode;
  /** The route's path, or `*` for a finding that belongs to no route. */
  route: string;
  /** Relative to the repository; null for a finding that belongs to no route. */
  file: string | null;
  /** One sentence: what was observed, and at which address. */
  message: string;
}

export interface FindingMeaning {
  clauses: readonly string[];
  /** What to change, in the imperative. */
  remedy: string;
  /** The document with details, relative to the repository. */
  recipe: string;
}

const guard = 'docs/recipes/platform/guarded-page.md';
const resource = 'docs/recipes/platform/resource-route.md';
const security = 'docs/security.md';
const site = 'docs/proof.md';

/** A code is the check's name, a slash, and what was observed. */
export const findingMeanings = {
  ...accountFindings,
  ...browserFindings,
  'signed-out/sdk-call': {
    clauses: ['W09', 'W13', 'W19'],
    remedy:
      'Call `checkPlatformUser(context)` first in the loader or action, and return when it is not ok.',
    recipe: guard,
  },
  'signed-out/server-error': {
    clauses: ['W33'],
    remedy: 'Respond to invalid and signed-out requests with a 4xx status instead of throwing.',
    recipe: resource,
  },
  'signed-out/not-refused': {
    clauses: ['W10', 'W11'],
    remedy:
      'Return `guardFailureResponse(guard)`, or a response made by `refusal()`, when the guard is not ok.',
    recipe: resource,
  },
  'signed-out/no-address': {
    clauses: ['W09'],
    remedy:
      'List an address of the route in `addresses` in `e2e/site.ts`, or create the data it shows in `prepare`. If a form elsewhere consumes that data, such as one that cancels an order, create one more.',
    recipe: site,
  },
  'signed-out/always-fails': {
    clauses: ['W09'],
    remedy:
      'Make the route work for a signed-in visitor: open it in `npm run dev`, where the error is shown. A 5xx is an error in the loader; a 401 or 403 is a refusal, so create in `prepare` in `e2e/site.ts` what gives the test user access.',
    recipe: site,
  },
  'signed-out/not-exercised': {
    clauses: ['W09'],
    remedy: 'Add a request that reaches the SDK call to `requests` in `e2e/site.ts`.',
    recipe: site,
  },
  'signed-out/access-contradicted': {
    clauses: ['W09', 'W13'],
    remedy: 'Set `handle.access` to `platform`, or remove the SDK from this route.',
    recipe: 'docs/recipes/public-route.md',
  },
  'guard-first/unguarded-call': {
    clauses: ['W09', 'W13'],
    remedy:
      'Await `checkPlatformUser(context)` first in this loader or action: a guard in a layout or in another loader does not cover it.',
    recipe: guard,
  },
  'guard-first/call-in-app': {
    clauses: ['W29'],
    remedy:
      'Remove the call: in auth mode `in-app` the site never calls the platform. Use `checkAccount` to identify the visitor.',
    recipe: 'docs/recipes/accounts/account-page.md',
  },
  'guard-first/late-call': {
    clauses: ['W13'],
    remedy:
      'Await every SDK call before the response ends, or make the call in a later request with its own guard.',
    recipe: guard,
  },
  'guard-first/body-first': {
    clauses: ['W09'],
    remedy:
      'Await the guard before you read the body with `request.formData()`, `request.json()` or an upload handler.',
    recipe: 'docs/recipes/platform/action.md',
  },
  'guard-first/rule-broken': {
    clauses: ['W01', 'W02', 'W12'],
    remedy:
      'Call the platform only through `createPlatformSdk(guard)`, which sends nothing that the contract forbids.',
    recipe: 'docs/recipes/platform/platform-operation.md',
  },
  'leaks/profile-field': {
    clauses: ['W20'],
    remedy: 'Convert `guard.user` with `toSafeProfile`, and return fields by name.',
    recipe: guard,
  },
  'leaks/upstream-text': {
    clauses: ['W20', 'W33'],
    remedy:
      'Respond with the code of the `PlatformSdkError` and a message of the site’s own, never with the platform’s text.',
    recipe: resource,
  },
  'leaks/internal-address': {
    clauses: ['W02'],
    remedy:
      'Use `PLATFORM_INTERNAL_URL` only in `*.server.ts` files, and never send a URL built from it to a browser.',
    recipe: security,
  },
  'leaks/stack-trace': {
    clauses: ['W33'],
    remedy:
      'Respond with a code or a message of the site’s own. Write an error’s `stack` and `message` to the log only.',
    recipe: resource,
  },
  'leaks/log-line': {
    clauses: ['W33'],
    remedy:
      'Log ids and codes only. Leave out profiles, e-mail addresses, passwords, session tokens, the platform’s text and the internal address.',
    recipe: security,
  },
  'other-people/somebody-else': {
    clauses: ['W13'],
    remedy:
      'Keep visitor data out of module scope: no variable, `Map` or cache may outlive the request.',
    recipe: security,
  },
  'other-people/own-missing': {
    clauses: ['W13'],
    remedy:
      'Read the visitor’s data in each request, with the SDK created from that request’s guard.',
    recipe: security,
  },
  'other-people/same-file': {
    clauses: ['W13'],
    remedy:
      'Fetch the file through the SDK of the current visitor in every request, and pass on the platform’s 404. Do not cache files by id.',
    recipe: 'docs/recipes/platform/download.md',
  },
  'kept/cacheable': {
    clauses: ['W03'],
    remedy: 'Do not set `cache-control`, or set it to `private, no-store`.',
    recipe: 'docs/recipes/public-route.md',
  },
  'kept/public-differs': {
    clauses: ['W03'],
    remedy:
      'Remove what varies by visitor or by request from the response, or remove `cache` from the route’s `handle`.',
    recipe: 'docs/recipes/public-page.md',
  },
  'kept/not-public': {
    clauses: ['W03'],
    remedy:
      'Remove guards, cookies and deferred data from the loaders of the page, of the layouts over it and of the root, or remove `cache` from its `handle`: the log names what it met.',
    recipe: 'docs/recipes/public-page.md',
  },
  'trouble/no-response': {
    clauses: ['W33'],
    remedy: 'Call the platform only through the SDK, whose calls time out.',
    recipe: 'docs/recipes/platform/platform-operation.md',
  },
  'trouble/not-tested': {
    clauses: [],
    remedy:
      'Look at what the message quotes: the route makes the proof’s own request, or its browser, fail. Repeat with `--routes` and this path; if it then passes, the machine was too busy.',
    recipe: site,
  },
  'trouble/server-error': {
    clauses: ['W33'],
    remedy:
      'Let the `PlatformSdkError` that an operation throws propagate: the server responds with its status. To keep a form on the page, catch it, and return its code.',
    recipe: guard,
  },
  'trouble/blank': {
    clauses: ['W33'],
    remedy: 'Show an error in the page: a heading, a sentence, and a button that retries.',
    recipe: guard,
  },
  'trouble/not-recovered': {
    clauses: ['W32'],
    remedy: 'Do not cache a failure: call the platform again in the next request.',
    recipe: 'docs/proof.md',
  },
  'trouble/site-ended': {
    clauses: ['W33'],
    remedy:
      'Handle errors in timers, event listeners and promises that are not awaited: an uncaught error ends the server process.',
    recipe: 'docs/proof.md',
  },
  'other-sites/accepted': {
    clauses: ['W19'],
    remedy:
      'Serve the site with `@gatehouse/server`, which rejects cross-site writes before any route runs.',
    recipe: security,
  },
  'other-sites/call': {
    clauses: ['W13', 'W19'],
    remedy:
      'Serve the site with `@gatehouse/server`: a cross-site request must be rejected before the guard calls the platform.',
    recipe: security,
  },
  'other-sites/read-writes': {
    clauses: ['W19'],
    remedy:
      'Move the call from the loader into an action: a link on any site can make a visitor’s browser send a GET. If the operation changes nothing, set `isRead: true` in its file in `app/platform/simulated/`.',
    recipe: security,
  },
  'trouble/secret-shown': {
    clauses: ['W20', 'W33'],
    remedy:
      'Map the error’s code to a message of the site’s own, and never show the platform’s text.',
    recipe: 'docs/recipes/platform/guarded-page.md',
  },
  'trouble/sent-to-sign-in': {
    clauses: ['W15'],
    remedy:
      'Use `requirePlatformUser`: it redirects to sign-in only when the platform responds with 401.',
    recipe: 'docs/recipes/platform/guarded-page.md',
  },
  'trouble/no-way-back': {
    clauses: ['W33'],
    remedy:
      'Render `PlatformLost`, which has a retry button, or reload the data with `usePolling`.',
    recipe: 'docs/architecture.md',
  },
} as const satisfies Record<`${CheckName}/${string}`, FindingMeaning>;

export type FindingCode = keyof typeof findingMeanings;

export function checkOf(code: FindingCode): CheckName {
  return code.slice(0, code.indexOf('/')) as CheckName;
}
