/** What another site makes a visitor's browser send is refused before anything is asked. */
import { dataAddressOf } from '../crawl/match';
import type { RouteUnderProof, SiteRequest, Stage } from '../stage/stage';
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
  if (!route.action) return;
  const { report, platform, inventory, seeded } = stage;
  const [visitor] = stage.addPeople(1);
  if (!visitor) return;
  const own = route.submissions.get(seeded[0]) ?? [];
  const [address] = route.addresses.get(seeded[0]) ?? [];
  const requests: SiteRequest[] =
    own.length > 0 || !address ? [...own] : [{ path: address, method: 'POST', body: 'text=words' }];
  if (route.kind === 'page' && inventory.hasDataRequests) {
    requests.push(
      ...requests.map((request) => ({ ...request, path: dataAddressOf(request.path) })),
    );
  }

  for (const request of requests) {
    for (const [from, headers] of Object.entries(origins)) {
      const { status } = await stage.ask(visitor, {
        ...request,
        headers: { ...request.headers, ...headers },
        isFromElsewhere: true,
      });
      const at = `${request.method ?? 'POST'} ${request.path} from ${from}`;
      if (route.access !== 'machine' && status !== 403)
        report.find('other-sites/accepted', route, `${at} is answered ${status}, not 403.`);
    }
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
