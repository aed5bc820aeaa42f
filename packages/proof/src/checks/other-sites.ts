/** Cross-site writes (CSRF) are rejected before the site calls the platform. */
import { dataAddressOf } from '../crawl/match.ts';
import type { SiteRequest } from '../people/site-request.ts';
import type { RouteUnderProof, Stage } from '../stage/stage.ts';
import { checkRoutes, type Check } from './check.ts';

export const otherSites: Check = {
  name: 'other-sites',
  run: async (stage) => {
    await checkRoutes(stage, 'other-sites', stage.routes, (route) => checkRoute(route, stage));
  },
};

/** Request headers by origin, as browsers send them; the last is a client that sends none. */
const originsAround = (siteOrigin: string): Readonly<Record<string, Record<string, string>>> => ({
  'another site': { origin: 'https://other.example', 'sec-fetch-site': 'cross-site' },
  // Without the header of newer browsers, which would reveal it: only a comparison of the whole origin does.
  'a site whose name begins with this one’s': { origin: `${siteOrigin}.other.example` },
  'a sandboxed frame': { origin: 'null', 'sec-fetch-site': 'cross-site' },
  'a sibling subdomain': { origin: 'http://beside.localhost', 'sec-fetch-site': 'same-site' },
  'a client without an Origin header': {},
});

async function checkRoute(route: RouteUnderProof, stage: Stage): Promise<void> {
  // `accounts/other-sites.ts` covers routes that need a site account, one request at a time.
  if (!route.action || (route.access === 'account' && stage.site)) return;
  const { report, platform } = stage;
  const [visitor] = stage.addPeople(1);
  if (!visitor) return;
  const requests = fromElsewhere(route, stage);
  if (requests.length === 0) {
    report.notObserved('other-sites', route, 'no request that reaches the action is known');
    return;
  }
  for (const { from, request } of requests) {
    const { status } = await stage.send(visitor, request);
    checkStatus(stage, route, request, from, status);
  }
  const calls = platform.ledger.calls({ persona: visitor.id });
  for (const call of calls.slice(0, 1)) {
    const from = call.siteRequest
      ? `${call.siteRequest.method} ${call.siteRequest.path}`
      : 'A request';
    report.find(
      'other-sites/call',
      route,
      `${from}, sent by another site, made the site call ${call.method} ${call.path}.`,
    );
  }
  report.checked('other-sites', route);
}

/** Every known request to the route's action, with the headers of each foreign origin. */
export function fromElsewhere(
  route: RouteUnderProof,
  { inventory, platform, seeded: [person] }: Stage,
): { from: string; request: SiteRequest }[] {
  const own = route.submissions.get(person) ?? [];
  const [address] = route.addresses.get(person) ?? [];
  const requests: SiteRequest[] =
    own.length > 0 || !address ? [...own] : [{ path: address, method: 'POST', body: 'text=words' }];
  if (route.kind === 'page' && inventory.homeData !== null) {
    requests.push(
      ...requests.map((request) => ({ ...request, path: dataAddressOf(inventory, request.path) })),
    );
  }
  return requests.flatMap((request) =>
    Object.entries(originsAround(platform.siteOrigin)).map(([from, headers]) => ({
      from,
      request: { ...request, headers: { ...request.headers, ...headers }, isFromElsewhere: true },
    })),
  );
}

export function checkStatus(
  { report }: Stage,
  route: RouteUnderProof,
  { method = 'POST', path }: SiteRequest,
  from: string,
  status: number,
): void {
  if (route.access === 'machine' || status === 403) return;
  const message = `${method} ${path} from ${from} returned ${status} instead of 403.`;
  report.find('other-sites/accepted', route, message);
}
