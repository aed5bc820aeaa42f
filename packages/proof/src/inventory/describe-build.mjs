// @ts-check
/**
 * Prints the routes of a built site as JSON, and which framework built it. Runs as a separate process, so that anything the site's modules open
 * on import ends with it.
 */
import { pathToFileURL } from 'node:url';

/** @typedef {Record<string, unknown> & { handle?: { access?: string, role?: string, cache?: object, shows?: string } }} RouteModule */
/** @typedef {{ id: string, parentId?: string, path?: string, index?: boolean, module: RouteModule }} BuiltRoute */

const [, , file = ''] = process.argv;
const { routes, routeDiscovery } =
  /** @type {{ routes: Record<string, BuiltRoute>, routeDiscovery?: object }} */ (
    await import(pathToFileURL(file).href)
  );
const described = Object.values(routes).map(({ module, ...route }) => ({
  ...route,
  exports: Object.keys(module).filter((name) => module[name] !== undefined),
  access: module.handle?.access,
  role: module.handle?.role,
  isPublic: module.handle?.cache !== undefined,
  showsPublished: module.handle?.shows === 'published',
}));
// React Router's builds say it.
const isRemix = routeDiscovery === undefined;
process.stdout.write(JSON.stringify({ routes: described, isRemix }), () => process.exit(0));
