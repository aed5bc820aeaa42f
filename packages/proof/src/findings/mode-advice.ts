/** What to do instead in sites of some auth modes, which lack the code that the usual remedy names. */
import type { AuthMode } from '@gatehouse/simulator';
import type { FindingCode, FindingMeaning } from './finding.ts';

type Advice = Partial<Pick<FindingMeaning, 'remedy' | 'recipe'>>;

const page = 'docs/recipes/accounts/account-page.md';

/** Only a call to the platform leads to these. */
const noCall: Advice = {
  remedy:
    'Remove the call: in auth mode `in-app` the site never calls the platform. Use `checkAccount` to identify the visitor.',
  recipe: page,
};

/** Where all accounts are the site's own. */
const inApp: Partial<Record<FindingCode, Advice>> = {
  'signed-out/sdk-call': noCall,
  'signed-out/server-error': { recipe: page },
  'signed-out/not-refused': {
    remedy:
      'Set `handle.access` to `account`, and call `requireAccount({ request, context })` first in the loader and in the action.',
    recipe: page,
  },
  'signed-out/no-address': {
    remedy:
      'Link to an address of the route from a page, or list one in `addresses` in `e2e/site.ts`. If a form creates what it shows, let its fields declare what they accept. If a form elsewhere consumes it, let a page offer more than one.',
  },
  'signed-out/always-fails': {
    remedy:
      'Make the route work for a signed-in visitor: open it in `npm run dev`, where the error is shown. A 5xx is an error in the loader; a 401 or 403 is a refusal, so let a form of the site create what gives the visitor access.',
  },
  'signed-out/not-exercised': noCall,
  'signed-out/access-contradicted': noCall,
  'guard-first/unguarded-call': noCall,
  'guard-first/late-call': noCall,
  'guard-first/rule-broken': noCall,
  'guard-first/body-first': {
    remedy:
      'Await `requireAccount({ request, context })` before you read the body with `request.formData()`, `request.json()` or an upload handler.',
    recipe: page,
  },
  'guard-first/account-for-platform': {
    remedy: 'Set `handle.access` to `account`: the site has no other accounts.',
    recipe: page,
  },
  'leaks/profile-field': noCall,
  'leaks/upstream-text': {
    remedy: 'Respond with a code or a message of the site’s own, never with another server’s text.',
    recipe: 'docs/recipes/external-service.md',
  },
  'leaks/internal-address': {
    remedy: 'Remove the address and its setting: nothing in this site needs either.',
  },
  'leaks/stack-trace': { recipe: 'docs/recipes/external-service.md' },
  'leaks/log-line': {
    remedy:
      'Log ids and codes only. Leave out names, e-mail addresses, passwords and session tokens.',
  },
  'other-people/own-missing': {
    remedy: 'Read the visitor’s rows in each request, by the account that its guard returned.',
  },
  'other-people/same-file': {
    remedy:
      'Select the file by its id and its owner in every request, and respond with 404 where there is none. Do not cache files by id.',
    recipe: page,
  },
  'trouble/no-response': {
    remedy:
      'Give every call to another server a time limit, and access the database only through `store()` in `app/store.server.ts`, whose waits time out.',
    recipe: 'docs/recipes/external-service.md',
  },
  'trouble/server-error': {
    remedy: 'Catch the error, and show it in the page or respond with its status.',
    recipe: page,
  },
  'trouble/blank': { recipe: page },
  'trouble/not-recovered': {
    remedy: 'Do not cache a failure: try again in the next request.',
  },
  'trouble/secret-shown': {
    remedy: 'Show a message of the site’s own, never another server’s text.',
    recipe: page,
  },
  'trouble/sent-to-sign-in': {
    remedy: 'Use `requireAccount`: it redirects to sign-in only when nobody is signed in.',
    recipe: page,
  },
  'trouble/no-way-back': {
    remedy: 'Show a button that retries, or reload the data with `usePolling`.',
  },
  'other-sites/call': noCall,
  'other-sites/read-writes': noCall,
  'signed-out-page/usable-control': {
    remedy: 'Put a control that needs an account on a page that calls `requireAccount`.',
    recipe: page,
  },
  'signed-out-page/still-shown': {
    remedy:
      'Render what belongs to a visitor only from the data of a loader that calls `requireAccount`, and do not copy it into state.',
    recipe: page,
  },
  'signed-out-page/requested': {
    remedy: 'Send the request only from a page whose loader calls `requireAccount`.',
    recipe: page,
  },
  'signed-out-page/no-panel': {
    remedy: 'Call `requireAccount` in the loader: it sends signed-out visitors to sign-in.',
    recipe: page,
  },
  'signed-out-page/return-path': {
    remedy:
      'Send visitors to the site’s own sign-in with `requireAccount`, which adds the return path.',
    recipe: page,
  },
  'frame/auth-fetched': {
    remedy:
      'Remove the request: `/__auth/` belongs to the platform, and nobody signs in to this site there.',
    recipe: page,
  },
};

/** Where all accounts are the platform's. */
const platform: Partial<Record<FindingCode, Advice>> = {
  'signed-out-page/usable-control': {
    remedy:
      'Disable the control until `useUser().view.status` is `signed-in`, in the server’s HTML and without JavaScript too.',
  },
};

export const modeAdvice: Readonly<Record<AuthMode, Partial<Record<FindingCode, Advice>>>> = {
  'in-app': inApp,
  platform,
  both: {},
};
