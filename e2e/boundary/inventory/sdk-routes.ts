/** Which of a site's routes answers a request, and whether it uses the platform's SDK for that. */
import { matchRoutes } from '@remix-run/router';
import type { RouteUnderProof } from '../stage/stage';

export interface SdkRoutes {
  /** The route that a request of this kind makes use the SDK; null where none does. */
  askedBy: (method: string, address: string) => RouteUnderProof | null;
}

export function sdkRoutesOf(routes: readonly RouteUnderProof[]): SdkRoutes {
  const branches = routes.map((route) => ({ id: route.id, path: route.path, route }));
  return {
    askedBy(method, address) {
      const [best] = matchRoutes(branches, pagePathOf(address)) ?? [];
      if (!best) return null;
      const handler = ['GET', 'HEAD'].includes(method.toUpperCase()) ? 'loader' : 'action';
      // A layout and its index answer for one path.
      const same = routes.filter(({ path }) => path === best.route.route.path);
      return same.find(({ operations }) => operations[handler].size > 0) ?? null;
    },
  };
}

/** Remix asks for a page's data at an address of its own. */
function pagePathOf(address: string): string {
  const [path = '/'] = address.split(/[?#]/);
  return path.replace(/\/_root\.data$/, '/').replace(/\.data$/, '') || '/';
}
