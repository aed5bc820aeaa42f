/** Which of a site's routes answers a request, and whether it uses the platform's SDK or a site account for that. */
import { matchRoutes } from '@remix-run/router';
import type { RouteUnderProof } from '../stage/stage';

export interface SdkRoutes {
  /** The route that a request of this kind makes use the SDK; null where none does. */
  askedBy: (method: string, address: string) => RouteUnderProof | null;
  /** The same, or the route that wants a site account for it. */
  guardedBy: (method: string, address: string) => RouteUnderProof | null;
}

export function sdkRoutesOf(routes: readonly RouteUnderProof[]): SdkRoutes {
  const branches = routes.map((route) => ({ id: route.id, path: route.path, route }));
  const find = (
    method: string,
    address: string,
    wants: (route: RouteUnderProof, handler: 'loader' | 'action') => boolean,
  ) => {
    const [best] = matchRoutes(branches, pagePathOf(address)) ?? [];
    if (!best) return null;
    const handler = ['GET', 'HEAD'].includes(method.toUpperCase()) ? 'loader' : 'action';
    // A layout and its index answer for one path.
    const same = routes.filter(({ path }) => path === best.route.route.path);
    return same.find((route) => wants(route, handler)) ?? null;
  };
  const usesSdk = ({ operations }: RouteUnderProof, handler: 'loader' | 'action') =>
    operations[handler].size > 0;
  return {
    askedBy: (method, address) => find(method, address, usesSdk),
    guardedBy: (method, address) =>
      find(
        method,
        address,
        (route, handler) =>
          usesSdk(route, handler) || (route.access === 'account' && route[handler] !== null),
      ),
  };
}

/** Remix asks for a page's data at an address of its own. */
function pagePathOf(address: string): string {
  const [path = '/'] = address.split(/[?#]/);
  return path.replace(/\/_root\.data$/, '/').replace(/\.data$/, '') || '/';
}
