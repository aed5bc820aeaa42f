/**
 * Signed out, every kind of request to every route calls nothing but `/user`, is never answered 5xx, and is refused
 * where the route's `handle` wants the platform's guard. `stage/listen.ts` reports the calls.
 */
import type { RefusedAddress } from '../crawl/explore.ts';
import { dataAddressOf, hasParameters } from '../crawl/match.ts';
import type { SiteRequest } from '../people/site-request.ts';
import type { RouteUnderProof, Stage } from '../stage/stage.ts';
import { lacksRole } from './accounts/roles.ts';
import { checkRoutes, type Check } from './check.ts';
import { addressesOf, bareForm, formsOf } from './request-forms.ts';

export const signedOut: Check = {
  name: 'signed-out',
  run: async (stage) => {
    await checkRoutes(stage, 'signed-out', stage.routes, (route) => checkRoute(route, stage));
  },
};

async function checkRoute(route: RouteUnderProof, stage: Stage): Promise<void> {
  const { report } = stage;
  const [seeded] = stage.seeded;
  const addresses = addressesOf(route, stage);
  const submissions = route.submissions.get(seeded) ?? [];
  // Without an address that works signed in, the other checks cannot test the route.
  const isForSomebody =
    route.access === 'account' ||
    route.operations.loader.size > 0 ||
    route.loader?.reachesSdk === true;
  const shows = isForSomebody ? (route.addresses.get(seeded) ?? []) : addresses;
  // A request without a response is already reported.
  const lacksResponse = route.refused.some(({ status }) => status === null);
  const works = (route.addresses.get(seeded) ?? []).length > 0 || route.access === 'machine';
  const isLost = shows.length === 0 || (!works && route.refused.some(isServerError));
  // Where the crawler could not be given the role, the proof sees only the refusal: `accounts/roles.ts` says so.
  const isShut = route.isLayout || lacksRole(route, seeded);
  if (isLost && !isShut && !lacksResponse) reportNoAddress(route, stage);
  for (const handler of ['loader', 'action'] as const) {
    const uses = route.operations[handler].size > 0;
    const reaches = route[handler]?.reachesSdk === true;
    if (reaches && !uses) {
      const tried = handler === 'action' ? submissions : addresses.map((path) => ({ path }));
      const responses = await Promise.all(
        tried.slice(0, 4).map(async (request: SiteRequest) => {
          const { status } = await stage.send(seeded, request);
          return `${request.method ?? 'GET'} ${request.path} returned ${status}`;
        }),
      );
      const sent = responses.length > 0 ? responses.join(', ') : 'it sent none';
      report.find(
        'signed-out/not-exercised',
        route,
        `The code of the ${handler} of ${route.path} reaches the SDK, but no request of the crawl made it call the platform: ${sent}.`,
      );
    }
    if ((uses || reaches) && (route.access === 'none' || route.access === 'machine')) {
      report.find(
        'signed-out/access-contradicted',
        route,
        `The ${handler} of ${route.path} uses the SDK, but its handle declares access: '${route.access}'.`,
      );
    }
  }

  const { reads, writes } = formsOf(route, stage);
  // `accounts/strangers.ts` covers routes that need a site account, one request at a time.
  for (const request of route.access === 'account' ? [] : [...reads, ...writes]) {
    const { status } = await stage.send(null, request);
    // 503 tells a machine to try again later, as while its secret is not configured.
    if (status < 500 || (status === 503 && route.access === 'machine')) continue;
    // A busy machine may exceed the site's deadline for `/user`. What a mistake causes happens again.
    if (isGateway(status) && (await stage.send(null, request)).status < 500) continue;
    const message = `Signed out, ${request.method ?? 'GET'} ${request.path} returned ${status}.`;
    report.find('signed-out/server-error', route, message);
  }

  for (const { request, mayRedirect } of refusable(route, addresses, submissions)) {
    // A page's action alone: after a document post the loaders run too, and their refusal would hide its answer.
    const isPage = route.kind === 'page' && stage.inventory.homeData !== null;
    const path = isPage ? dataAddressOf(stage.inventory, request.path) : request.path;
    const { status, headers, text } = await stage.send(null, { ...request, path });
    const isRedirect = status >= 300 || text.startsWith('[["SingleFetchRedirect"');
    const isSentToSignIn = headers.location?.includes('/__auth/login');
    // The data of a page's action says it beside other things. A resource has a status for it.
    const isRefused = route.kind === 'page' && text.includes('"unauthorized"');
    if (status === 401 || isSentToSignIn || isRefused) continue;
    if (mayRedirect && isRedirect) continue;
    report.find(
      'signed-out/not-refused',
      route,
      `Signed out, ${request.method ?? 'GET'} ${request.path} returned ${status} instead of a refusal.`,
    );
  }
  report.checked('signed-out', route);
}

/**
 * The requests that nobody signed out may have answered. A page's `GET` is not among them: it shows the signed-out panel.
 * A route that was not seen to use the SDK may redirect or refuse every request, such as with 405.
 */
function refusable(
  route: RouteUnderProof,
  addresses: readonly string[],
  submissions: readonly SiteRequest[],
): { request: SiteRequest; mayRedirect: boolean }[] {
  const isResource = route.kind === 'resource';
  const isGuarded = route.access === 'platform';
  const usesSdk = {
    reads: route.operations.loader.size > 0,
    writes: route.operations.action.size > 0,
  };
  const reads =
    isResource && (usesSdk.reads || (isGuarded && route.loader))
      ? addresses.map((path) => ({ path }))
      : [];
  const bare = addresses.slice(0, 1).map((path) => bareForm(path, 'POST'));
  const writes = [
    ...(isGuarded || (isResource && usesSdk.writes) ? submissions : []),
    ...(isGuarded && route.action ? bare : []),
  ];
  return [
    ...reads.map((request) => ({ request, mayRedirect: !usesSdk.reads })),
    ...writes.map((request) => ({
      request,
      mayRedirect: !isResource || !usesSdk.writes || !submissions.includes(request),
    })),
  ];
}

function isGateway(status: number): boolean {
  return status >= 502 && status <= 504;
}

/** Says whether the crawl knows no address, or whether the route fails at those that it knows. */
function reportNoAddress(route: RouteUnderProof, { report, siteLog }: Stage): void {
  const { path, refused } = route;
  const tried = refused
    .slice(0, 3)
    .map(({ path: at, status }) => `${at}: ${status ?? 'no response'}`);
  const failed = refused.find(
    (address) => isServerError(address) || (!hasParameters(route) && isRefusal(address)),
  );
  if (!failed) {
    const message = `The crawl found no working address of ${path}${tried.length > 0 ? ` (tried ${tried.join(', ')})` : ''}.`;
    report.find('signed-out/no-address', route, message);
    return;
  }
  const cause = causeOf(failed.requestId, siteLog());
  const message = `Signed in, each request to ${path} failed (${tried.join(', ')})${cause && `, with “${cause}”`}.`;
  report.find('signed-out/always-fails', route, message);
}

function isServerError({ status }: RefusedAddress): boolean {
  return status !== null && status >= 500;
}

/** Other statuses, such as 404, may be right for the address. */
function isRefusal({ status }: RefusedAddress): boolean {
  return status === 401 || status === 403;
}

/** The message of the error that the site has logged for a request; empty if there is none. */
function causeOf(requestId: string | null, log: string): string {
  if (requestId === null) return '';
  for (const line of log.split('\n')) {
    if (!line.includes(requestId)) continue;
    const [, message] = /"message":"((?:[^"\\]|\\.)*)"/.exec(line) ?? [];
    if (message) return message.replaceAll(/\\./g, ' ').slice(0, 160);
  }
  return '';
}
