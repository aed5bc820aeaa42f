/** What a check says of a route. The codes are stable: a site generator acts on them. */

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
  /** The check and what it saw, such as `signed-out/sdk-call`. */
  code: FindingCode;
  /** The route's path, or `*` for what belongs to no route. */
  route: string;
  file: string | null;
  /** One sentence: what was seen, at which address. */
  message: string;
}

export interface FindingMeaning {
  clauses: readonly string[];
  /** What to do, in a sentence. */
  remedy: string;
  /** Where the repository says more, relative to its root. */
  recipe: string;
}

export const findingMeanings = {
  'signed-out-page/usable-control': {
    clauses: ['W16', 'W18'],
    remedy:
      'Disable it until `useUser().view.status` is `signed-in`: as the server renders it, too, and without a script.',
    recipe: 'docs/recipes/action.md',
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
      'Mend what the browser complains of: no inline `style`, sources of content in `app/site.config.ts`, and markup that is the same on the server and in the browser.',
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
  'trouble/page-blank': {
    clauses: ['W33'],
    remedy: 'Catch `PlatformSdkError` in the loader, and render `PlatformLost` or the error page.',
    recipe: 'docs/recipes/guarded-page.md',
  },
  'trouble/page-hangs': {
    clauses: ['W33'],
    remedy: 'Call the platform by `createPlatformSdk` alone: it gives up in time.',
    recipe: 'docs/recipes/platform-operation.md',
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
} as const satisfies Record<string, FindingMeaning>;

export type FindingCode = keyof typeof findingMeanings;
