/**
 * Rules for every response and every platform call, whichever check triggered them: no secrets, no other person's data,
 * no cacheable response, and no violation in the platform's ledger.
 */
import { pathToFileURL } from 'node:url';
import type { ReceivedResponse } from '@gatehouse/simulator/http';
import {
  VIOLATIONS,
  type CallEntry,
  type LedgerEntry,
  type Platform,
} from '@gatehouse/simulator/platform';
import type { AuthMode, Operation } from '@gatehouse/simulator';
import type { FindingCode } from '../findings/finding.ts';
import { actionRouteOf, pageOfData, routeOf } from '../crawl/match.ts';
import type { Inventory, Route } from '../inventory/route.ts';
import { secretsIn } from '../people/people.ts';
import { inspectWords, type Exchange, type Surroundings } from './inspect-words.ts';
import type { Report } from './stage.ts';

/** Canaries in the headers of every platform response and in the bodies of faults. No response of the site may contain them. */
export const upstreamWords = [
  'platform_internal=canary',
  'realm="internal"',
  'internal.invalid',
  'usr_canary',
  'words-of-the-upstream',
];

/** How stack traces name files of this site, in ES modules and in CommonJS modules. */
const framesOfHere = [`${pathToFileURL(process.cwd()).href}/`, `(${process.cwd()}/`];

/** Reports what one response violates. */
export function inspectResponse(exchange: Exchange, surroundings: Surroundings): void {
  const { request, response } = exchange;
  const { inventory, report, platform, site } = surroundings;
  const { path, method = 'GET' } = request;
  const { path: address, isData } = siteAddressOf(path);
  const route = routeOf(inventory, address);
  const at = `${method} ${path} (${response.status})`;
  const headers = response.rawHeaders.join('\n');
  const isRelay = pathnameOf(path) === '/api/user';
  const all = `${headers}\n${isRelay ? '' : response.text}`;

  const { host } = new URL(platform.internalUrl);
  if (all.includes(host))
    report.find('leaks/internal-address', route, `${at} contains the internal address ${host}.`);
  for (const word of upstreamWords) {
    if (all.includes(word))
      report.find('leaks/upstream-text', route, `${at} contains the platform’s “${word}”.`);
  }
  if (secretsIn(all).size > 0) {
    report.find(
      'leaks/profile-field',
      route,
      `${at} contains a profile field that no page has a reason to show.`,
    );
  }
  const shown = site?.accounts.secretIn(`${withoutCookies(response)}\n${response.text}`);
  if (shown) report.find('leaks/account-secret', route, `${at} contains ${shown}.`);
  if (framesOfHere.some((frame) => response.text.includes(frame)))
    report.find(
      'leaks/stack-trace',
      route,
      `${at} contains a stack trace with the site’s file paths.`,
    );
  inspectWords(exchange, route, at, surroundings);
  for (const cookie of response.headers['set-cookie'] ?? []) {
    const missing = missingInFrame(cookie);
    if (missing.length > 0)
      report.find('frame/cookie', route, droppedCookie(path, cookie, missing));
  }
  const kept = response.headers['cache-control'] ?? '';
  const mayBeKept =
    route?.isPublic &&
    (method === 'GET' || method === 'HEAD') &&
    !(inventory.homeData !== null && isData) &&
    !response.headers['set-cookie'];
  if (!isNotStored(kept) && !mayBeKept) {
    report.find('kept/cacheable', route, `${at} has cache-control “${kept}”, without no-store.`);
  }
}

/** Whether no cache may keep a response. */
export function isNotStored(cacheControl: string): boolean {
  return /(^|,)\s*no-store\s*(,|$)/i.test(cacheControl);
}

/** The attributes that a cookie lacks to be kept by a browser that blocks third-party cookies; empty when it is kept. */
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
  return `${path} sets the cookie “${name}” without ${missing.join(', ')}, so the frame drops it.`;
}

/** The response headers without `Set-Cookie`, where a session's token belongs. */
function withoutCookies({ rawHeaders }: ReceivedResponse): string {
  return rawHeaders
    .filter((_, index) => rawHeaders[index - (index % 2)]?.toLowerCase() !== 'set-cookie')
    .join('\n');
}

/** Reports violations in the ledger until the returned function is called. */
export function listenToLedger(
  platform: Platform<unknown>,
  {
    inventory,
    report,
    auth,
    operations,
  }: {
    inventory: Inventory;
    report: Report;
    auth: AuthMode;
    operations: readonly Pick<Operation<never>, 'name' | 'method' | 'isRead'>[];
  },
): () => void {
  const writes = new Set(
    operations.filter(({ method, isRead }) => method !== 'GET' && !isRead).map(({ name }) => name),
  );
  return platform.ledger.subscribe((entry: LedgerEntry | null) => {
    if (entry?.kind === 'call' && entry.outcome === 'pending') {
      if (auth === 'in-app') {
        inspectCallInApp(entry, inventory, report);
        return;
      }
      inspectCall(entry, inventory, report);
      if (writes.has(entry.endpoint)) inspectWrite(entry, inventory, report);
    } else if (entry?.kind === 'note' && entry.note === 'platform_cookie_set_by_site') {
      const path = entry.detail.replace(/^\S+ /, '');
      report.find(
        'frame/platform-cookie',
        routeOf(inventory, siteAddressOf(path).path),
        `${entry.detail} sets the platform’s session cookie.`,
      );
    }
  });
}

const codes: Partial<Record<string, FindingCode>> = {
  unguarded_call: 'guard-first/unguarded-call',
  late_call: 'guard-first/late-call',
  no_identity: 'guard-first/unguarded-call',
};

/** In auth mode `in-app` the site never calls the platform (W29). */
function inspectCallInApp(
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
    `${from} called the platform (${method} ${path.replace(/\?.*/, '')}), although the site’s auth mode is in-app.`,
  );
}

function inspectCall(call: CallEntry, inventory: Inventory, report: Report): void {
  const { siteRequest, endpoint, violations } = call;
  const route = siteRequest && handlerOf(siteRequest, inventory)?.route;
  const from = siteRequest
    ? `${siteRequest.method} ${siteRequest.path}`
    : 'Outside any request, the site';
  const called = `${call.method} ${call.path.replace(/\?.*/, '')}`;
  // The persona at the time of the site request: the session may end before the call.
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

/** Other sites can make a visitor's browser send a GET, by a link, so it must change nothing (W19). */
function inspectWrite(
  { siteRequest, method, path }: CallEntry,
  inventory: Inventory,
  report: Report,
): void {
  if (siteRequest?.method !== 'GET' && siteRequest?.method !== 'HEAD') return;
  report.find(
    'other-sites/read-writes',
    handlerOf(siteRequest, inventory)?.route ?? null,
    `${siteRequest.method} ${siteRequest.path} made the site call ${method} ${path.replace(/\?.*/, '')}.`,
  );
}

/** The route that handles a request. `handler` is null where the request may run several loaders. */
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
  const isAlone = route.kind === 'resource' || inventory.homeData === null || (isData && !isRead);
  return { route, handler: isAlone ? (isRead ? 'loader' : 'action') : null };
}

/** The address of the page behind a `.data` URL, and the loader that the URL selects. */
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
  const page = isData ? pageOfData(pathname) : pathname;
  return { path: page + url.search, isData, loaderOf };
}

function pathnameOf(path: string): string {
  return new URL(path, 'http://site.invalid').pathname;
}
