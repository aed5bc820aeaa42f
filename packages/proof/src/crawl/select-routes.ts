/** The routes that `--routes` selects. */
import { routeOf } from './match.ts';
import type { Inventory, Route } from '../inventory/route.ts';

/**
 * @param wanted paths of routes, or addresses such as `/prints/7`; none selects every route
 * @throws {Error} one sentence that lists the routes, when one of the paths selects none
 */
export function selectRoutes(inventory: Inventory, wanted: readonly string[]): Set<Route> {
  if (wanted.length === 0) return new Set(inventory.routes);
  return new Set(wanted.flatMap((path) => routesBelow(inventory, path)));
}

function routesBelow(inventory: Inventory, wanted: string): Route[] {
  // A trailing slash makes no difference to the router either.
  const path = `/${wanted}`.replace(/^\/+/, '/').replace(/(?<=.)\/+$/, '');
  // Every route is below `/`, so it stands for the home page alone: without `--routes`, all are proven.
  const below = inventory.routes.filter(
    (route) => route.path === path || (path !== '/' && route.path.startsWith(`${path}/`)),
  );
  if (below.length > 0) return below;
  const matching = URL.canParse(path, 'http://site.invalid') ? routeOf(inventory, path) : null;
  // A catch-all route matches every address, so a misspelled path would select it.
  if (matching && !matching.path.endsWith('*')) return [matching];
  const paths = [...new Set(inventory.routes.map((route) => route.path))];
  throw new Error(
    `--routes ${wanted} selects no route. Give the path of a route, to select it and the routes below it, or / for the home page alone: ${paths.join(', ')}.`,
  );
}
