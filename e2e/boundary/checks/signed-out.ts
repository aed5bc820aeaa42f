/**
 * Signed out, nothing happens: every route, in every form in which it can be asked, calls nothing but `/user`,
 * breaks nothing, and refuses what it would do for somebody. The calls themselves are heard by `stage/listen.ts`.
 */
import type { SiteRequest } from '../people/site-request';
import type { RouteUnderProof, Stage } from '../stage/stage';
import type { Check } from './check';
import { addressesOf, formsOf } from './request-forms';

export const signedOut: Check = {
  name: 'signed-out',
  run: async (stage) => {
    await Promise.all(stage.routes.map((route) => lookAt(route, stage)));
  },
};

async function lookAt(route: RouteUnderProof, stage: Stage): Promise<void> {
  const { report } = stage;
  const [seeded] = stage.seeded;
  const addresses = addressesOf(route, stage);
  // Without an address that answers somebody signed in, the other checks have nothing to look at.
  const isForSomebody =
    route.access === 'account' ||
    route.operations.loader.size > 0 ||
    route.loader?.reachesSdk === true;
  const shows = isForSomebody ? (route.addresses.get(seeded) ?? []) : addresses;
  if (shows.length === 0 && !route.isLayout) {
    report.find('signed-out/no-address', route, `Nothing leads to ${route.path}${triedOf(route)}.`);
  }
  for (const handler of ['loader', 'action'] as const) {
    const uses = route.operations[handler].size > 0;
    const reaches = route[handler]?.reachesSdk === true;
    if (reaches && !uses) {
      const how = handler === 'loader' ? 'GET' : 'POST';
      report.find(
        'signed-out/not-exercised',
        route,
        `The ${handler} of ${route.path} reaches the SDK, and no ${how} of the crawl made it call anything.`,
      );
    }
    if ((uses || reaches) && (route.access === 'none' || route.access === 'machine')) {
      report.find(
        'signed-out/access-contradicted',
        route,
        `The ${handler} of ${route.path} uses the SDK, and its handle says access: '${route.access}'.`,
      );
    }
  }

  const submissions = route.submissions.get(seeded) ?? [];
  const { reads, writes } = formsOf(route, stage);
  // `accounts/strangers.ts` asks what needs a site account, one request at a time.
  for (const request of route.access === 'account' ? [] : [...reads, ...writes]) {
    const answer = await stage.ask(null, request);
    if (answer.status < 500) continue;
    const message = `Signed out, ${request.method ?? 'GET'} ${request.path} is answered ${answer.status}.`;
    report.find('signed-out/server-error', route, message);
  }

  if (route.kind === 'resource') {
    const refused: SiteRequest[] = [
      ...(route.operations.loader.size > 0 ? addresses.map((path) => ({ path })) : []),
      ...(route.operations.action.size > 0 ? submissions : []),
    ];
    for (const request of refused) {
      const { status, headers, text } = await stage.ask(null, request);
      const isSentToSignIn = headers.location?.includes('/__auth/login');
      if (status === 401 || isSentToSignIn || /"unauthorized"/.test(text)) continue;
      report.find(
        'signed-out/not-refused',
        route,
        `Signed out, ${request.method ?? 'GET'} ${request.path} is answered ${status}, not refused.`,
      );
    }
  }
  report.looked('signed-out', route);
}

function triedOf(route: RouteUnderProof): string {
  return route.refused.length > 0 ? ` that answers (${route.refused.slice(0, 3).join(', ')})` : '';
}
