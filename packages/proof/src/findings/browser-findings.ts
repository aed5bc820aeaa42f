/** Findings about pages in a browser. */
import type { FindingMeaning } from './finding.ts';

export const browserFindings = {
  'frame/platform-cookie': {
    clauses: ['W30'],
    remedy:
      'Do not set or clear the platform’s session cookie. Give the site’s own cookies other names.',
    recipe: 'docs/recipes/cookie.md',
  },
  'signed-out-page/usable-control': {
    clauses: ['W16', 'W18'],
    remedy:
      'Disable the control until `useUser().view.status` is `signed-in`, in the server’s HTML and without JavaScript too. Put a control that needs a site account on a page that calls `requireAccount`.',
    recipe: 'docs/recipes/platform/action.md',
  },
  'signed-out-page/still-shown': {
    clauses: ['W15', 'W18'],
    remedy:
      'Render visitor data only while `useUser().view.status` is `signed-in`, and do not copy it into state. On `focus` the page checks whether the session has ended.',
    recipe: 'docs/recipes/platform/guarded-page.md',
  },
  'signed-out-page/requested': {
    clauses: ['W16', 'W18'],
    remedy:
      'Send the request with `useApi` or `usePolling`, and only once `useUser().view.status` is `signed-in`.',
    recipe: 'docs/recipes/platform/background-request.md',
  },
  'signed-out-page/no-panel': {
    clauses: ['W15', 'W17'],
    remedy:
      'Render `SignedOutPanel` when `useUser().view.status` is `signed-out`, or call `requirePlatformUser` in the loader.',
    recipe: 'docs/recipes/platform/guarded-page.md',
  },
  'signed-out-page/return-path': {
    clauses: ['W05', 'W17'],
    remedy: 'Use `SignInButton` or `requirePlatformUser`, which add the return path.',
    recipe: 'docs/recipes/platform/guarded-page.md',
  },
  'frame/not-shown': {
    clauses: [],
    remedy:
      'Leave `frame-ancestors` and `x-frame-options` to the site’s server, and do not redirect or navigate out of the page as it loads.',
    recipe: 'docs/security.md',
  },
  'frame/noise': {
    clauses: [],
    remedy:
      'Fix the cause of the message: usually an uncaught exception, such as one after a response that is not `ok`; an inline `style`; a content source missing in `app/site.config.ts`; or a hydration mismatch.',
    recipe: 'docs/troubleshooting.md',
  },
  'frame/cookie': {
    clauses: [],
    remedy:
      'Set the cookie as the recipe does: in a cross-site frame, browsers keep only cookies with `Secure; SameSite=None; Partitioned`.',
    recipe: 'docs/recipes/cookie.md',
  },
  'frame/native-download': {
    clauses: ['W21'],
    remedy:
      'Use `DownloadButton`: a native download is sent with different cookies than the frame’s own requests.',
    recipe: 'docs/recipes/platform/download.md',
  },
  'frame/file-disagrees': {
    clauses: ['W27'],
    remedy:
      'Let the bytes, `content-type`, the name in `content-disposition` and the button’s `filename` name the same format: take the type from the file, and the extension from the type. Write the header with the package `content-disposition`.',
    recipe: 'docs/recipes/platform/download.md',
  },
  'frame/auth-fetched': {
    clauses: ['W05', 'W06'],
    remedy: 'Use `SignInButton` and `SignOutButton`: sign-in and sign-out are navigations.',
    recipe: 'docs/recipes/platform/guarded-page.md',
  },
  'everybody/accessibility': {
    clauses: [],
    remedy:
      'Do what the message says. The components in `app/ui/` and the colours in `app/tailwind.css` have no such fault.',
    recipe: 'docs/proof.md',
  },
  'everybody/sideways': {
    clauses: [],
    remedy:
      'Let the element shrink or wrap (`min-w-0`, `flex-wrap`, `wrap-anywhere`), or make it scroll.',
    recipe: 'docs/proof.md',
  },
  'everybody/keyboard': {
    clauses: [],
    remedy: 'Use `Button`, a link or a form field: other elements do not receive focus.',
    recipe: 'docs/proof.md',
  },
} as const satisfies Record<string, FindingMeaning>;
