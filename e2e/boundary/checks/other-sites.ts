/** What another site makes a visitor's browser send is refused before anything is asked. */
import { dataAddressOf } from '../crawl/match';
import type { SiteRequest } from '../people/site-request';
import type { RouteUnderProof, Stage } from '../stage/stage';
import type { Check } from './check';

export const otherSites: Check = {
  name: 'other-sites',
  run: async (stage) => {
    await Promise.all(stage.routes.map((route) => lookAt(route, stage)));
  },
};

/** As a browser says where a request comes from; the last is a client that says nothing. */
const origins: Readonly<Record<string, Record<string, string>>> = {
  'another site': { origin: 'https://other.example', 'sec-fetch-site': 'cross-site' },
  'a sandboxed frame': { origin: 'null', 'sec-fetch-site': 'cross-site' },
  'a site beside it': { origin: 'http://beside.localhost', 'sec-fetch-site': 'same-site' },
  nowhere: {},
};

async function lookAt(route: RouteUnderProof, stage: Stage): Promise<void> {
  // `accounts/other-sites.ts` asks the latter, one request at a time.
  if (!route.action || (route.access === 'account' && stage.site)) return;
  const { report, platform } = stage;
  const [visitor] = stage.addPeople(1);
  if (!visitor) return;
  const requests = fromElsewhere(route, stage);
  if (requests.length === 0) {
    report.notObserved('other-sites', route, 'no request is known that reaches its action');
    return;
  }
  for (const { from, request } of requests) {
    const { status } = await stage.ask(visitor, request);
    judgeStatus(stage, route, request, from, status);
  }
  const calls = platform.ledger.calls({ persona: visitor.id });
  for (const call of calls.slice(0, 1)) {
    const from = call.siteRequest
      ? `${call.siteRequest.method} ${call.siteRequest.path}`
      : 'A request';
    report.find(
      'other-sites/call',
      route,
      `${from} of another site made the site call ${call.method} ${call.path}.`,
    );
  }
  report.looked('other-sites', route);
}

/** Every request that reaches the route's action, as other sites would have it sent. */
export function fromElsewhere(
  route: RouteUnderProof,
  { inventory, seeded: [person] }: Stage,
): { from: string; request: SiteRequest }[] {
  const own = route.submissions.get(person) ?? [];
  const [address] = route.addresses.get(person) ?? [];
  const requests: SiteRequest[] =
    own.length > 0 || !address ? [...own] : [{ path: address, method: 'POST', body: 'text=words' }];
  if (route.kind === 'page' && inventory.hasDataRequests) {
    requests.push(
      ...requests.map((request) => ({ ...request, path: dataAddressOf(request.path) })),
    );
  }
  return requests.flatMap((request) =>
    Object.entries(origins).map(([from, headers]) => ({
      from,
      request: { ...request, headers: { ...request.headers, ...headers }, isFromElsewhere: true },
    })),
  );
}

export function judgeStatus(
  { report }: Stage,
  route: RouteUnderProof,
  { method = 'POST', path }: SiteRequest,
  from: string,
  status: number,
): void {
  if (route.access === 'machine' || status === 403) return;
  const message = `${method} ${path} from ${from} is answered ${status}, not 403.`;
  report.find('other-sites/accepted', route, message);
}
