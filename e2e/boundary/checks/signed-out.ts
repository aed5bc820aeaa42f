/**
 * Signed out, nothing happens: every route, in every form in which it can be asked, calls nothing but `/user`,
 * breaks nothing, and refuses what it would do for somebody. The calls themselves are heard by `stage/listen.ts`.
 */
import { dataAddressOf, plainAddressOf } from '../crawl/match';
import type { RouteUnderProof, SiteRequest, Stage } from '../stage/stage';
import type { Check } from './check';

export const signedOut: Check = {
  name: 'signed-out',
  run: async (stage) => {
    await Promise.all(stage.routes.map((route) => lookAt(route, stage)));
  },
};

const unsafe = ['POST', 'PUT', 'PATCH', 'DELETE'];

async function lookAt(route: RouteUnderProof, stage: Stage): Promise<void> {
  const { report, inventory } = stage;
  const addresses = addressesOf(route, stage);
  if (addresses.length === 0 && !route.isLayout) {
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

  const [seeded] = stage.seeded;
  const submissions = route.submissions.get(seeded) ?? [];
  for (const request of [
    ...addresses.flatMap((path) => readsOf(path, route, inventory.hasDataRequests)),
    ...addresses.slice(0, 1).flatMap((path) => unsafe.map((method) => bareForm(path, method))),
    ...submissions.flatMap((submission) => postsOf(submission, route, inventory.hasDataRequests)),
  ]) {
    const answer = await stage.ask(null, request);
    const at = `${request.method ?? 'GET'} ${request.path} (${answer.status})`;
    if (answer.status >= 500)
      report.find('signed-out/server-error', route, `${at} by nobody is an error of the server.`);
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
        `${request.method ?? 'GET'} ${request.path} by nobody is answered ${status}, not refused.`,
      );
    }
  }
  if (route.access === 'account') await lookAtAccountRoute(route, addresses, stage);
  report.looked('signed-out', route);
}

/**
 * What needs a site account refuses everybody who has none: nobody, and whoever is signed in to the platform alone
 * (W29). That the way to sign in is the site's own, its address tells.
 */
async function lookAtAccountRoute(
  route: RouteUnderProof,
  addresses: readonly string[],
  { ask, report, seeded }: Stage,
): Promise<void> {
  const [path] = addresses;
  if (path === undefined) return;
  const requests = [
    ...(route.loader ? [{ path }] : []),
    ...(route.action ? [bareForm(path, 'POST')] : []),
  ];
  for (const request of requests) {
    for (const who of [null, seeded[0]]) {
      const { status, headers, text } = await ask(who, request);
      const { location = '' } = headers;
      const isSentToSignIn = status >= 300 && status < 400 && /^\/(?!\/|__auth\/)/.test(location);
      const isRefused = status === 401 || status === 405 || /"account_required"/.test(text);
      if (isSentToSignIn || isRefused) continue;
      const whom = who ? 'somebody of the platform’s without a site account' : 'nobody';
      report.find(
        'signed-out/account-not-refused',
        route,
        `${'method' in request ? request.method : 'GET'} ${path} by ${whom} is answered ${status}${location && ` and ${location}`}, not refused.`,
      );
    }
  }
}

function addressesOf(route: RouteUnderProof, { seeded }: Stage): readonly string[] {
  const found = seeded.flatMap((person) => route.addresses.get(person) ?? []);
  const plain = plainAddressOf(route);
  return [...new Set([...found, ...(plain !== null && !route.isLayout ? [plain] : [])])];
}

function triedOf(route: RouteUnderProof): string {
  return route.refused.length > 0 ? ` that answers (${route.refused.slice(0, 3).join(', ')})` : '';
}

function readsOf(path: string, route: RouteUnderProof, hasData: boolean): SiteRequest[] {
  const plain = [{ path }, { path, method: 'HEAD' }];
  if (!hasData) return plain;
  return [
    ...plain,
    { path: dataAddressOf(path) },
    ...(route.loader ? [{ path: dataAddressOf(path, route.id) }] : []),
  ];
}

/** A form without a script, which knows nothing of the route. */
function bareForm(path: string, method: string): SiteRequest {
  return {
    path,
    method,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: 'text=words',
  };
}

function postsOf(submission: SiteRequest, route: RouteUnderProof, hasData: boolean): SiteRequest[] {
  if (!hasData || route.kind !== 'page') return [submission];
  return [submission, { ...submission, path: dataAddressOf(submission.path) }];
}
