/**
 * Signed out, every kind of request to every route calls nothing but `/user`, is never answered 5xx, and is refused
 * where it would use the SDK. `stage/listen.ts` reports the calls.
 */
import pMap from 'p-map';
import type { SiteRequest } from '../people/site-request';
import type { RouteUnderProof, Stage } from '../stage/stage';
import { fewAtOnce, type Check } from './check';
import { addressesOf, formsOf } from './request-forms';

export const signedOut: Check = {
  name: 'signed-out',
  run: async (stage) => {
    await pMap(stage.routes, (route) => checkRoute(route, stage), fewAtOnce);
  },
};

async function checkRoute(route: RouteUnderProof, stage: Stage): Promise<void> {
  const { report } = stage;
  const [seeded] = stage.seeded;
  const addresses = addressesOf(route, stage);
  // Without an address that works signed in, the other checks cannot test the route.
  const isForSomebody =
    route.access === 'account' ||
    route.operations.loader.size > 0 ||
    route.loader?.reachesSdk === true;
  const shows = isForSomebody ? (route.addresses.get(seeded) ?? []) : addresses;
  if (shows.length === 0 && !route.isLayout) {
    const message = `The crawl found no working address of ${route.path}${triedOf(route)}.`;
    report.find('signed-out/no-address', route, message);
  }
  for (const handler of ['loader', 'action'] as const) {
    const uses = route.operations[handler].size > 0;
    const reaches = route[handler]?.reachesSdk === true;
    if (reaches && !uses) {
      const how = handler === 'loader' ? 'GET' : 'POST';
      report.find(
        'signed-out/not-exercised',
        route,
        `The code of the ${handler} of ${route.path} reaches the SDK, but no ${how} of the crawl made it call the platform.`,
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

  const submissions = route.submissions.get(seeded) ?? [];
  const { reads, writes } = formsOf(route, stage);
  // `accounts/strangers.ts` covers routes that need a site account, one request at a time.
  for (const request of route.access === 'account' ? [] : [...reads, ...writes]) {
    const { status } = await stage.send(null, request);
    if (status < 500) continue;
    // A busy machine may exceed the site's deadline for `/user`. What a mistake causes happens again.
    if (isGateway(status) && (await stage.send(null, request)).status < 500) continue;
    const message = `Signed out, ${request.method ?? 'GET'} ${request.path} returned ${status}.`;
    report.find('signed-out/server-error', route, message);
  }

  if (route.kind === 'resource') {
    const refused: SiteRequest[] = [
      ...(route.operations.loader.size > 0 ? addresses.map((path) => ({ path })) : []),
      ...(route.operations.action.size > 0 ? submissions : []),
    ];
    for (const request of refused) {
      const { status, headers, text } = await stage.send(null, request);
      const isSentToSignIn = headers.location?.includes('/__auth/login');
      if (status === 401 || isSentToSignIn || /"unauthorized"/.test(text)) continue;
      report.find(
        'signed-out/not-refused',
        route,
        `Signed out, ${request.method ?? 'GET'} ${request.path} returned ${status} instead of a refusal.`,
      );
    }
  }
  report.checked('signed-out', route);
}

function isGateway(status: number): boolean {
  return status >= 502 && status <= 504;
}

function triedOf(route: RouteUnderProof): string {
  return route.refused.length > 0 ? ` (tried ${route.refused.slice(0, 3).join(', ')})` : '';
}
