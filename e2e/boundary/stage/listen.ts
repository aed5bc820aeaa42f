/**
 * What holds for every answer and every call, whichever check asked for it: nothing that a browser may not see,
 * nobody else's words, no answer that a cache may keep, and no rule of the platform's broken.
 */
import { pathToFileURL } from 'node:url';
import type { Answer } from '../../harness/browser/visitor-http';
import { VIOLATIONS, type CallEntry, type LedgerEntry } from '../../harness/internal-api/ledger';
import type { AuthMode } from '../../harness/definition';
import type { Platform } from '../../harness/platform';
import type { FindingCode } from '../findings/finding';
import { actionRouteOf, routeOf } from '../crawl/match';
import type { Inventory, Route } from '../inventory/route';
import { marksIn, secretsIn, type Person } from '../people/people';
import type { SiteRequest } from '../people/site-request';
import type { Report, SiteSide } from './stage';

/** Canaries for the site’s server only: in the headers of each internal answer, and in the bodies of faults. */
export const upstreamWords = [
  'platform_internal=canary',
  'realm="internal"',
  'internal.invalid',
  'usr_canary',
  'words-of-the-upstream',
];

/** How a line of a stack trace names a file of this site: in an ES module, and in a CommonJS one. */
const framesOfHere = [`${pathToFileURL(process.cwd()).href}/`, `(${process.cwd()}/`];

export interface Exchange {
  who: Person | null;
  request: SiteRequest;
  answer: Answer;
}

/** Looks at one answer. */
export function judge(
  { who, request, answer }: Exchange,
  {
    inventory,
    report,
    platform,
    site,
  }: {
    inventory: Inventory;
    report: Report;
    platform: Pick<Platform<unknown>, 'internalUrl'>;
    site: Pick<SiteSide, 'accounts'> | null;
  },
): void {
  const { path, method = 'GET' } = request;
  const route = routeOf(inventory, siteAddressOf(path).path);
  const at = `${method} ${path} (${answer.status})`;
  const headers = answer.rawHeaders.join('\n');
  const isRelay = pathnameOf(path) === '/api/user';
  const all = `${headers}\n${isRelay ? '' : answer.text}`;

  const { host } = new URL(platform.internalUrl);
  if (all.includes(host)) report.find('leaks/internal-address', route, `${at} shows ${host}.`);
  for (const word of upstreamWords) {
    if (all.includes(word))
      report.find('leaks/upstream-text', route, `${at} shows the platform’s “${word}”.`);
  }
  if (secretsIn(all).size > 0) {
    report.find(
      'leaks/profile-field',
      route,
      `${at} shows a field of the profile that nobody names.`,
    );
  }
  const shown = site?.accounts.secretIn(`${withoutCookies(answer)}\n${answer.text}`);
  if (shown) report.find('leaks/account-secret', route, `${at} shows ${shown}.`);
  if (framesOfHere.some((frame) => answer.text.includes(frame)))
    report.find('leaks/stack-trace', route, `${at} shows where files of the site are stored.`);
  const own = marksOf(who, request);
  for (const mark of marksIn(answer.text + headers)) {
    // What somebody sends may come back to them.
    const isSent = path.includes(mark) || request.body?.includes(mark);
    if (own.has(mark) || isSent) continue;
    const whom = who ? `by another person` : 'signed out';
    report.find(
      'other-people/somebody-else',
      route,
      `${at}, asked ${whom}, shows ${mark}’s words.`,
    );
  }
  for (const cookie of answer.headers['set-cookie'] ?? []) {
    const missing = missingInFrame(cookie);
    if (missing.length > 0)
      report.find('frame/cookie', route, droppedCookie(path, cookie, missing));
  }
  const kept = answer.headers['cache-control'] ?? '';
  if (!/(^|,)\s*no-store\s*(,|$)/i.test(kept) && !route?.isPublic) {
    report.find('kept/cacheable', route, `${at} has cache-control “${kept}”.`);
  }
}

/** By which words somebody may be shown: those of the sign-ins that their request carries. */
function marksOf(who: Person | null, { only }: SiteRequest): Set<string> {
  const own = new Set<string>();
  if (who && only !== 'account') own.add(who.mark);
  if (who?.account && only !== 'platform') own.add(who.account.mark);
  return own;
}

/** What a cookie lacks to be kept by a browser that blocks the cookies of third parties; empty when it is kept. */
export function missingInFrame(setCookie: string): string[] {
  const [, ...parts] = setCookie.split(';').map((part) => part.trim().toLowerCase());
  const has = new Set(parts.map((part) => part.replace(/\s*=\s*/, '=')));
  return [
    ...(has.has('secure') ? [] : ['Secure']),
    ...(has.has('samesite=none') ? [] : ['SameSite=None']),
    ...(has.has('partitioned') ? [] : ['Partitioned']),
  ];
}

export function droppedCookie(path: string, cookie: string, missing: readonly string[]): string {
  const [name] = cookie.split('=');
  return `${path} sets the cookie “${name}” without ${missing.join(', ')}: the frame drops it.`;
}

/** The headers of an answer, but for the cookies that a browser keeps to itself. */
function withoutCookies({ rawHeaders }: Answer): string {
  return rawHeaders
    .filter((_, index) => rawHeaders[index - (index % 2)]?.toLowerCase() !== 'set-cookie')
    .join('\n');
}

/** Listens to the ledger until it is told to stop. */
export function listenToLedger(
  platform: Platform<unknown>,
  { inventory, report, auth }: { inventory: Inventory; report: Report; auth: AuthMode },
): () => void {
  return platform.ledger.subscribe((entry: LedgerEntry | null) => {
    if (entry?.kind === 'call' && entry.outcome === 'pending') {
      judgeCall(entry, inventory, report);
      if (auth === 'in-app') judgeAnyCall(entry, inventory, report);
    } else if (entry?.kind === 'note' && entry.note === 'platform_cookie_set_by_site') {
      const path = entry.detail.replace(/^\S+ /, '');
      report.find(
        'frame/platform-cookie',
        routeOf(inventory, siteAddressOf(path).path),
        `${entry.detail} sets the session cookie.`,
      );
    }
  });
}

const codes: Partial<Record<string, FindingCode>> = {
  unguarded_call: 'guard-first/unguarded-call',
  late_call: 'guard-first/late-call',
  no_identity: 'guard-first/unguarded-call',
};

/** W29: in the auth mode `in-app` the site never calls the platform. */
function judgeAnyCall(
  { siteRequest, method, path }: CallEntry,
  inventory: Inventory,
  report: Report,
): void {
  const route = siteRequest && handlerOf(siteRequest, inventory)?.route;
  const from = siteRequest
    ? `${siteRequest.method} ${siteRequest.path}`
    : 'Outside any request, the site';
  report.find(
    'guard-first/call-in-app',
    route ?? null,
    `${from} called ${method} ${path.replace(/\?.*/, '')} of the platform, and the site’s auth mode is in-app.`,
  );
}

function judgeCall(call: CallEntry, inventory: Inventory, report: Report): void {
  const { siteRequest, endpoint, violations } = call;
  const route = siteRequest && handlerOf(siteRequest, inventory)?.route;
  const from = siteRequest
    ? `${siteRequest.method} ${siteRequest.path}`
    : 'Outside any request, the site';
  const called = `${call.method} ${call.path.replace(/\?.*/, '')}`;
  // By whoever it was when the request came: a session may end while the site is at work.
  if (siteRequest?.persona === null && endpoint !== 'user') {
    report.find('signed-out/sdk-call', route ?? null, `Signed out, ${from} called ${called}.`);
  }
  for (const kind of violations) {
    report.find(
      codes[kind] ?? 'guard-first/rule-broken',
      route ?? null,
      `${from} called ${called}. ${VIOLATIONS[kind]}`,
    );
  }
}

/** The route that handles a request. `handler` is null where one request may run several loaders. */
export function handlerOf(
  { method, path }: { method: string; path: string },
  inventory: Inventory,
): { route: Route; handler: 'loader' | 'action' | null } | null {
  const { path: plain, isData, loaderOf } = siteAddressOf(path);
  const isRead = method === 'GET' || method === 'HEAD';
  if (loaderOf !== null) {
    const route = inventory.routes.find(({ id }) => id === loaderOf);
    return route ? { route, handler: isRead ? 'loader' : 'action' } : null;
  }
  const route = isRead ? routeOf(inventory, plain) : actionRouteOf(inventory, plain);
  if (!route) return null;
  const isAlone = route.kind === 'resource' || !inventory.hasDataRequests || (isData && !isRead);
  return { route, handler: isAlone ? (isRead ? 'loader' : 'action') : null };
}

/** The page’s address behind Remix’s address of its data. */
export function siteAddressOf(path: string): {
  path: string;
  isData: boolean;
  loaderOf: string | null;
} {
  const url = new URL(path, 'http://site.invalid');
  const isData = url.pathname.endsWith('.data');
  const loaderOf = isData ? url.searchParams.get('_routes') : null;
  url.searchParams.delete('_routes');
  const pathname = isData ? url.pathname.slice(0, -'.data'.length) : url.pathname;
  return { path: (pathname === '/_root' ? '/' : pathname) + url.search, isData, loaderOf };
}

function pathnameOf(path: string): string {
  return new URL(path, 'http://site.invalid').pathname;
}
