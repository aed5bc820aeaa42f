/**
 * No response may be cached, except those of routes declared public. `stage/listen.ts` checks the headers of every
 * response; here the responses of public routes are compared between visitors.
 */
import type { ReceivedResponse } from '@gatehouse/simulator/http';
import { plainAddressOf } from '../crawl/match.ts';
import { isNotStored } from '../stage/listen.ts';
import type { RouteUnderProof, Stage } from '../stage/stage.ts';
import { checkRoutes, type Check } from './check.ts';

export const kept: Check = {
  name: 'kept',
  run: async (stage) => {
    await checkRoutes(stage, 'kept', stage.routes, (route) => checkRoute(route, stage));
  },
};

/** Headers that no cache has in its key: what differs by them would be given to everybody. */
const unkeyed = {
  'accept-language': 'xx-canary',
  'user-agent': 'canary',
  'x-forwarded-host': 'canary.invalid',
  'x-forwarded-proto': 'canary',
  'x-original-url': '/canary',
};

async function checkRoute(route: RouteUnderProof, stage: Stage): Promise<void> {
  const { report, seeded } = stage;
  const found = route.addresses.get(seeded[0]) ?? [];
  // One that always fails has no address that works.
  const plain = route.isPublic && found.length === 0 ? plainAddressOf(route) : null;
  const addresses = plain === null ? found : [plain];
  if (route.isPublic) {
    for (const path of addresses) {
      const responses = await Promise.all([
        ...[null, ...seeded].map((who) => stage.send(who, { path })),
        stage.send(null, { path, headers: unkeyed }),
      ]);
      const [{ status, headers }] = responses as [ReceivedResponse];
      const kept = headers['cache-control'] ?? '';
      // A resource may restrict a response, such as one without data during an outage.
      const isPrivate = route.kind === 'page' && status === 200 && isNotStored(kept);
      if (status >= 500 || isPrivate)
        report.find(
          'kept/not-public',
          route,
          `GET ${path} is declared public, but responds with ${status} and cache-control “${kept}”.`,
        );
      else if (new Set(responses.map(({ text }) => text)).size > 1)
        report.find(
          'kept/public-differs',
          route,
          `GET ${path} is declared public, but its response differs between requests.`,
        );
    }
  }
  if (addresses.length > 0 || route.isLayout) report.checked('kept', route);
}
