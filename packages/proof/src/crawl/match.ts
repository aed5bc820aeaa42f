/** Matches addresses to routes. */
import { matchPath, matchRoutes } from '@remix-run/router';
import type { Inventory, Route } from '../inventory/route.ts';

/** The router compiles every route's path at each match, and the proof matches some addresses thousands of times. */
const matched = new WeakMap<Inventory, Map<string, Route | null>>();

/** The route that matches an address, including a catch-all route; null if none does. */
export function routeOf(inventory: Inventory, path: string): Route | null {
  const { pathname } = new URL(path, 'http://site.invalid');
  const known = matched.get(inventory) ?? new Map<string, Route | null>();
  matched.set(inventory, known);
  const before = known.get(pathname);
  if (before !== undefined) return before;
  const candidates = inventory.routes
    .filter(({ isLayout }) => !isLayout)
    .map((route) => ({ id: route.id, path: route.path, route }));
  const route = matchRoutes(candidates, pathname)?.at(-1)?.route.route ?? null;
  known.set(pathname, route);
  return route;
}

/** The route whose action handles a form at this address: the layout's, unless `?index` selects its index route. */
export function actionRouteOf(inventory: Inventory, path: string): Route | null {
  const leaf = routeOf(inventory, path);
  const url = new URL(path, 'http://site.invalid');
  if (!leaf || url.searchParams.has('index')) return leaf;
  const layout = inventory.routes.find(
    (route) => route.isLayout && route.action && route.path === leaf.path && route.path !== '/',
  );
  return layout ?? leaf;
}

/** The route parameters in an address, percent-encoded as in the address. */
export function parametersOf({ path }: Route, address: string): Record<string, string> {
  const { pathname } = new URL(address, 'http://site.invalid');
  const { params = {} } = matchPath(path, pathname) ?? {};
  return Object.fromEntries(
    Object.entries(params).map(([name, value = '']) => [
      name,
      value.split('/').map(encodeURIComponent).join('/'),
    ]),
  );
}

/** Whether its path has parameters, such as `/prints/:id` or `/files/*`. */
export function hasParameters({ path }: Route): boolean {
  return /[:*]/.test(path);
}

export function isCatchAll({ path }: Route): boolean {
  return path.endsWith('*');
}

/** The address of a route without required parameters, or a made-up one of a catch-all route; otherwise null. */
export function plainAddressOf({ path }: Route): string | null {
  const plain = path.replaceAll(/\/:\w+\?/g, '').replace(/\*$/, 'nothing-is-here');
  return plain.includes(':') ? null : plain || '/';
}

/** The URL of a page's data; with a route id, of that route's loader alone. */
export function dataAddressOf(
  { homeData }: Pick<Inventory, 'homeData'>,
  path: string,
  routeId?: string,
): string {
  const url = new URL(path, 'http://site.invalid');
  const ofHome = homeData !== null && url.pathname === '/';
  if (routeId !== undefined) url.searchParams.set('_routes', routeId);
  return `${ofHome ? homeData : `${url.pathname.replace(/\/$/, '')}.data`}${url.search}`;
}

/** The page whose data is at a pathname without `.data`. */
export function pageOfData(pathname: string): string {
  return pathname.replace(/^\/_root$/, '/').replace(/\/_$/, '/');
}

/** Whether an address that was resolved against `http://site.invalid` belongs to this site. */
export function isOurs(hostname: string): boolean {
  return hostname === 'site.invalid' || hostname === 'site.localhost';
}
