/** Which route handles a request, and whether that takes the platform's SDK or a site account. */
import { matchRoutes } from '@remix-run/router';
import { pageOfData } from '../crawl/match.ts';
import type { RouteUnderProof } from '../stage/stage.ts';

export interface SdkRoutes {
  /** The route that uses the SDK to handle such a request; null where none does. */
  sdkRouteOf: (method: string, address: string) => RouteUnderProof | null;
  /** The same, or the route that needs a site account to handle it. */
  guardedRouteOf: (method: string, address: string) => RouteUnderProof | null;
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
    // A layout and its index route share a path.
    const same = routes.filter(({ path }) => path === best.route.route.path);
    return same.find((route) => wants(route, handler)) ?? null;
  };
  const usesSdk = ({ operations }: RouteUnderProof, handler: 'loader' | 'action') =>
    operations[handler].size > 0;
  return {
    sdkRouteOf: (method, address) => find(method, address, usesSdk),
    guardedRouteOf: (method, address) =>
      find(
        method,
        address,
        (route, handler) =>
          usesSdk(route, handler) || (route.access === 'account' && route[handler] !== null),
      ),
  };
}

/** A page's data has a separate URL, which ends with `.data`. */
function pagePathOf(address: string): string {
  const [path = '/'] = address.split(/[?#]/);
  return path.endsWith('.data') ? pageOfData(path.slice(0, -'.data'.length)) : path || '/';
}
