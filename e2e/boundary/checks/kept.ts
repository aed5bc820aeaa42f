/**
 * No answer is kept by a cache. The headers of every answer are looked at by `stage/listen.ts`; what a route
 * declares public is compared here, as several people get it.
 */
import type { RouteUnderProof, Stage } from '../stage/stage';
import type { Check } from './check';

export const kept: Check = {
  name: 'kept',
  run: async (stage) => {
    await Promise.all(stage.routes.map((route) => lookAt(route, stage)));
  },
};

async function lookAt(route: RouteUnderProof, stage: Stage): Promise<void> {
  const { report, seeded } = stage;
  const addresses = route.addresses.get(seeded[0]) ?? [];
  if (route.isPublic) {
    for (const path of addresses) {
      const texts = await Promise.all(
        [null, ...seeded].map(async (who) => withoutNonces((await stage.ask(who, { path })).text)),
      );
      if (new Set(texts).size > 1)
        report.find(
          'kept/public-differs',
          route,
          `GET ${path} is public, and differs by who asks.`,
        );
    }
  }
  if (addresses.length > 0 || route.isLayout) report.looked('kept', route);
}

/** A page's scripts carry a new nonce each time. */
function withoutNonces(html: string): string {
  const nonces = new Set([...html.matchAll(/nonce=\\?"([^"\\]+)/g)].map(([, nonce = '']) => nonce));
  let text = html;
  for (const nonce of nonces) text = text.replaceAll(nonce, '');
  return text;
}
