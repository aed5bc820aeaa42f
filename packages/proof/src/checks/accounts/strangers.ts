/**
 * Routes that need a site account refuse every kind of request without one, signed out and with a platform session only
 * (W29), and no row changes. Requests run one at a time, because a changed row does not show which request changed it.
 */
import type { ReceivedResponse } from '@gatehouse/simulator/http';
import type { Person } from '../../people/people.ts';
import type { SiteRequest } from '../../people/site-request.ts';
import type { RouteUnderProof, Stage } from '../../stage/stage.ts';
import { changedTables, withoutFile } from '../../stage/store.ts';
import { checkRoutes, inSequence, type Check } from '../check.ts';
import { formsOf } from '../request-forms.ts';

export const accountStrangers: Check = {
  name: 'signed-out',
  async run(stage) {
    const routes = stage.routes.filter(needsAccount);
    await checkRoutes(stage, 'signed-out', routes, (route) => checkRoute(route, stage), inSequence);
  },
};

async function checkRoute(route: RouteUnderProof, stage: Stage): Promise<void> {
  const { report, auth, site, seeded } = stage;
  if (!site && auth !== 'platform') {
    const message = `${route.path} needs a site account, but \`e2e/site.ts\` does not define how to create one.`;
    report.find('signed-out/no-account', route, message);
  }
  // Nobody reaches the account's guard of a route for both: the platform's comes first.
  const nobody = route.access === 'both' ? [] : [null];
  const strangers = auth === 'in-app' ? nobody : [...nobody, seeded[0]];
  if (site && !site.store) report.notObserved('signed-out', route, withoutFile);
  const { reads, writes } = formsOf(route, stage);
  for (const who of strangers) {
    // Reads run concurrently: none of them may write, so one comparison covers all.
    await changesBy(stage, route, who, reads);
    for (const write of writes) await changesBy(stage, route, who, [write]);
  }
}

/** Also a route for both kinds of account, which the checks otherwise treat as one of the platform's. */
export function needsAccount({ access }: RouteUnderProof): boolean {
  return access === 'account' || access === 'both';
}

async function changesBy(
  stage: Stage,
  route: RouteUnderProof,
  who: Person | null,
  requests: readonly SiteRequest[],
): Promise<void> {
  const { report, site } = stage;
  const before = site?.store?.snapshot();
  const whom = who ? 'With a platform session only' : 'Signed out';
  await Promise.all(
    requests.map(async (request) => {
      const response = await stage.send(who, { ...request, only: 'platform' });
      const { status, headers } = response;
      const at = `${whom}, ${request.method ?? 'GET'} ${request.path} returned ${status}`;
      if (status >= 500) {
        report.find('signed-out/server-error', route, `${at}.`);
      } else if (!isRefused(response) && !isNoAddress(route, request, response)) {
        const { location } = headers;
        const message = `${at}${location ? ` (to ${location})` : ''} instead of a refusal.`;
        report.find('signed-out/account-not-refused', route, message);
      }
    }),
  );
  if (!before || !site?.store) return;
  const [table] = changedTables(before, site.store.snapshot(), site.passingTables);
  if (table === undefined) return;
  const [request] = requests;
  const message = `${whom}, ${request?.method ?? 'GET'} ${request?.path ?? ''} changed rows in table ${table}.`;
  report.find('signed-out/store-changed', route, message);
}

/** A redirect to a page of the site counts as a refusal. Remix encodes redirects of data requests in the body. */
function isRefused({ status, headers: { location = '' }, text }: ReceivedResponse): boolean {
  const isRedirect = (status >= 300 && status < 400) || status === 202;
  const isSentToSignIn = isRedirect && /^\/(?!\/|__auth\/)/.test(location);
  const isSentByData = /"SingleFetchRedirect"/.test(text) && !text.includes('"/__auth/');
  const isForbidden = status === 401 || status === 405 || /"account_required"/.test(text);
  return isSentToSignIn || isSentByData || isForbidden;
}

/** A resource route has no `.data` URL. */
export function isNoAddress(
  { kind }: RouteUnderProof,
  { path }: SiteRequest,
  { status }: ReceivedResponse,
): boolean {
  return kind === 'resource' && status === 404 && /\.data(\?|$)/.test(path);
}
