/** What a check says of a route. The codes are stable: a site generator acts on them. */
import { accountFindings } from './account-findings';

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
  /** The route's path, or `*` for what belongs to no route. */
  route: string;
  /** Relative to the repository; null for what belongs to no route. */
  file: string | null;
  /** One sentence: what was seen, and at which address. */
  message: string;
}

export interface FindingMeaning {
  clauses: readonly string[];
  /** What to do, in a sentence. */
  remedy: string;
  /** Where the repository says more, relative to its root. */
  recipe: string;
}

const guard = 'docs/recipes/guarded-page.md';
const resource = 'docs/recipes/resource-route.md';
const security = 'docs/security.md';
const site = 'docs/proof.md';

/** Each code is its check's name and what was seen. */
export const findingMeanings = {
  ...accountFindings,
  'signed-out/sdk-call': {
    clauses: ['W09', 'W13', 'W19'],
    remedy:
      'Begin the loader or action with `checkPlatformUser(context)`, and return when it is not ok.',
    recipe: guard,
  },
  'signed-out/server-error': {
    clauses: ['W33'],
    remedy: 'Answer bad or signed-out requests with a status below 500; throw nothing for them.',
    recipe: resource,
  },
  'signed-out/not-refused': {
    clauses: ['W10', 'W11'],
    remedy: 'Return `guardFailureResponse(guard)` where the guard is not ok, or a typed refusal.',
    recipe: resource,
  },
  'signed-out/no-address': {
    clauses: ['W09'],
    remedy:
      'Name an address of the route in `addresses` of `e2e/site.ts`, or create what it shows in `prepare`. Where a form of another page, such as one that cancels, uses it up, create one more.',
    recipe: site,
  },
  'signed-out/not-exercised': {
    clauses: ['W09'],
    remedy: 'Add a request that reaches it to `requests` of `e2e/site.ts`.',
    recipe: site,
  },
  'signed-out/access-contradicted': {
    clauses: ['W09', 'W13'],
    remedy: 'Let `handle.access` be `platform`, or keep the SDK out of this route.',
    recipe: 'docs/recipes/public-route.md',
  },
  'guard-first/unguarded-call': {
    clauses: ['W09', 'W13'],
    remedy:
      'Await `checkPlatformUser(context)` first: a layout or another loader never guards for this one.',
    recipe: guard,
  },
  'guard-first/call-in-app': {
    clauses: ['W29'],
    remedy:
      'Leave the platform alone where `auth` is `in-app`: who the visitor is, `checkAccount` says.',
    recipe: 'docs/recipes/account-page.md',
  },
  'guard-first/late-call': {
    clauses: ['W13'],
    remedy:
      'Await every call of the SDK before the answer is over, or ask the guard again in a request of its own.',
    recipe: guard,
  },
  'guard-first/body-first': {
    clauses: ['W09'],
    remedy: 'Ask the guard before `request.formData()`, `request.json()` or an upload is read.',
    recipe: 'docs/recipes/action.md',
  },
  'guard-first/rule-broken': {
    clauses: ['W01', 'W02', 'W12'],
    remedy:
      'Call the platform through `createPlatformSdk(guard)` alone, which sends what the contract allows.',
    recipe: 'docs/recipes/platform-operation.md',
  },
  'leaks/profile-field': {
    clauses: ['W20'],
    remedy: 'Pass `guard.user` through `toSafeProfile`, and return fields by name.',
    recipe: guard,
  },
  'leaks/upstream-text': {
    clauses: ['W20', 'W33'],
    remedy: 'Let the SDK name what failed: answer with its code and a message of the site’s own.',
    recipe: resource,
  },
  'leaks/internal-address': {
    clauses: ['W02'],
    remedy:
      'Keep `PLATFORM_INTERNAL_URL` in `*.server.ts` files; build no address of it for a browser.',
    recipe: security,
  },
  'leaks/stack-trace': {
    clauses: ['W33'],
    remedy:
      'Answer with a code or a sentence of the site’s own: an error’s `stack` and message are for the log.',
    recipe: resource,
  },
  'leaks/log-line': {
    clauses: ['W33'],
    remedy:
      'Log ids and codes: no profile, no e-mail address, no text of the platform’s, no internal address.',
    recipe: security,
  },
  'other-people/somebody-else': {
    clauses: ['W13'],
    remedy:
      'Keep nothing of a visitor in a module: no variable, Map or cache outlives the request.',
    recipe: security,
  },
  'other-people/own-missing': {
    clauses: ['W13'],
    remedy:
      'Read the visitor’s own data in each request, by the SDK that this request’s guard gave.',
    recipe: security,
  },
  'other-people/same-file': {
    clauses: ['W13'],
    remedy:
      'Ask the platform for a file in the name of who asks: its 404 is the answer to everybody else.',
    recipe: 'docs/recipes/download.md',
  },
  'kept/cacheable': {
    clauses: ['W03'],
    remedy: 'Leave `cache-control` to the server, or say `private, no-store`.',
    recipe: 'docs/recipes/public-route.md',
  },
  'kept/public-differs': {
    clauses: ['W03'],
    remedy: "A route that says `cache: 'public'` may show nothing that depends on who asks.",
    recipe: 'docs/recipes/public-route.md',
  },
  'trouble/no-answer': {
    clauses: ['W33'],
    remedy: 'Call the platform through the SDK, whose calls have a deadline.',
    recipe: 'docs/recipes/platform-operation.md',
  },
  'trouble/server-error': {
    clauses: ['W33'],
    remedy: 'Catch `PlatformSdkError`, and show what failed in the page or answer with its status.',
    recipe: guard,
  },
  'trouble/blank': {
    clauses: ['W33'],
    remedy:
      'Show what failed in the page: a heading and a sentence, with a button that tries again.',
    recipe: guard,
  },
  'trouble/not-recovered': {
    clauses: ['W32'],
    remedy: 'Keep no failure beyond its request: the next one asks the platform again.',
    recipe: 'docs/troubleshooting.md',
  },
  'trouble/site-ended': {
    clauses: ['W33'],
    remedy:
      'Handle errors in timers, event listeners and promises that are not awaited: an uncaught one ends the server for everybody.',
    recipe: 'docs/troubleshooting.md',
  },
  'other-sites/accepted': {
    clauses: ['W19'],
    remedy: 'Serve the site by `site-server`, which refuses such requests before a route runs.',
    recipe: security,
  },
  'other-sites/call': {
    clauses: ['W13', 'W19'],
    remedy: 'Do nothing for a request of another site: not even ask who the visitor is.',
    recipe: security,
  },
  'frame/platform-cookie': {
    clauses: ['W30'],
    remedy:
      'Leave the platform’s session cookie alone: the site’s own cookies have names of their own.',
    recipe: 'docs/recipes/cookie.md',
  },
  'signed-out-page/usable-control': {
    clauses: ['W16', 'W18'],
    remedy:
      'Disable it until `useUser().view.status` is `signed-in`: as the server renders it, too, and without a script. What needs a site account stands on a page that calls `requireAccount`.',
    recipe: 'docs/recipes/action.md',
  },
  'signed-out-page/still-shown': {
    clauses: ['W15', 'W18'],
    remedy:
      'Show it only while `useUser().view.status` is `signed-in`, and keep no copy of it in state: a page notices at `focus` that its session has ended.',
    recipe: guard,
  },
  'signed-out-page/asked': {
    clauses: ['W16', 'W18'],
    remedy:
      'Ask by `useApi` or `usePolling`, and only once `useUser().view.status` is `signed-in`.',
    recipe: 'docs/recipes/background-request.md',
  },
  'signed-out-page/no-panel': {
    clauses: ['W15', 'W17'],
    remedy:
      'Show `SignedOutPanel` when `useUser().view.status` is `signed-out`, or call `requirePlatformUser` in the loader.',
    recipe: 'docs/recipes/guarded-page.md',
  },
  'signed-out-page/return-path': {
    clauses: ['W05', 'W17'],
    remedy: 'Lead to sign-in by `SignInButton` or `requirePlatformUser`: they know the way back.',
    recipe: 'docs/recipes/guarded-page.md',
  },
  'frame/not-shown': {
    clauses: [],
    remedy:
      'Leave the headers of pages to the site’s server: `frame-ancestors` names the platform, and `x-frame-options` is never sent.',
    recipe: 'docs/security.md',
  },
  'frame/noise': {
    clauses: [],
    remedy:
      'Mend what the browser complains of: an exception that nothing catches, as where an answer is not `ok`; an inline `style`; a source of content that `app/site.config.ts` does not name; markup that differs between server and browser.',
    recipe: 'docs/troubleshooting.md',
  },
  'frame/cookie': {
    clauses: [],
    remedy:
      'Set it as the recipe does: a frame keeps only cookies that are `Secure; SameSite=None; Partitioned`.',
    recipe: 'docs/recipes/cookie.md',
  },
  'frame/native-download': {
    clauses: ['W21'],
    remedy: 'Use `DownloadButton`: the browser’s own download has other cookies than the frame.',
    recipe: 'docs/recipes/download.md',
  },
  'frame/auth-fetched': {
    clauses: ['W05', 'W06'],
    remedy: 'Use `SignInButton` and `SignOutButton`: signing in and out are navigations.',
    recipe: 'docs/recipes/guarded-page.md',
  },
  'everybody/accessibility': {
    clauses: [],
    remedy: 'Use the design system in `app/ui/`, and the colours of `app/tailwind.css`.',
    recipe: 'docs/troubleshooting.md',
  },
  'everybody/sideways': {
    clauses: [],
    remedy:
      'Let it shrink or wrap (`min-w-0`, `flex-wrap`, `wrap-anywhere`), or scroll within itself.',
    recipe: 'docs/troubleshooting.md',
  },
  'everybody/keyboard': {
    clauses: [],
    remedy: 'Use `Button`, a link or a field: what is none of them is no stop for the Tab key.',
    recipe: 'docs/troubleshooting.md',
  },
  'trouble/secret-shown': {
    clauses: ['W20', 'W33'],
    remedy:
      'Show a message of the site’s own for the error’s code, and nothing that the platform said.',
    recipe: 'docs/recipes/guarded-page.md',
  },
  'trouble/sent-to-sign-in': {
    clauses: ['W15'],
    remedy:
      'Use `requirePlatformUser`: it sends visitors to sign in when the platform says 401, and at nothing else.',
    recipe: 'docs/recipes/guarded-page.md',
  },
  'trouble/no-way-back': {
    clauses: ['W33'],
    remedy: 'Render `PlatformLost`, which offers to try again, or look again by `usePolling`.',
    recipe: 'docs/recipes/guarded-page.md',
  },
} as const satisfies Record<`${CheckName}/${string}`, FindingMeaning>;

export type FindingCode = keyof typeof findingMeanings;

export function checkOf(code: FindingCode): CheckName {
  return code.slice(0, code.indexOf('/')) as CheckName;
}
