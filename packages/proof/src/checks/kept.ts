/**
 * No response may be cached, except those of routes declared public. `stage/listen.ts` checks the headers of every
 * response; here the responses of public routes are compared between visitors.
 */
import type { RouteUnderProof, Stage } from '../stage/stage.ts';
import { checkRoutes, type Check } from './check.ts';

export const kept: Check = {
  name: 'kept',
  run: async (stage) => {
    await checkRoutes(stage, 'kept', stage.routes, (route) => checkRoute(route, stage));
  },
};

async function checkRoute(route: RouteUnderProof, stage: Stage): Promise<void> {
  const { report, seeded } = stage;
  const addresses = route.addresses.get(seeded[0]) ?? [];
  if (route.isPublic) {
    for (const path of addresses) {
      const texts = await Promise.all(
        [null, ...seeded].map(async (who) => withoutNonces((await stage.send(who, { path })).text)),
      );
      if (new Set(texts).size > 1)
        report.find(
          'kept/public-differs',
          route,
          `GET ${path} is declared public, but its response differs between requests.`,
        );
    }
  }
  if (addresses.length > 0 || route.isLayout) report.checked('kept', route);
}

/** Each response has new nonces for its scripts. */
function withoutNonces(html: string): string {
  const nonces = new Set([...html.matchAll(/nonce=\\?"([^"\\]+)/g)].map(([, nonce = '']) => nonce));
  let text = html;
  for (const nonce of nonces) text = text.replaceAll(nonce, '');
  return text;
}
