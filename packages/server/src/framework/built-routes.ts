/** What a build's routes say, in the shape that every framework's build gives them. */
import type { RouteHandle } from '../route.ts';
import type { Site } from '../site.ts';
import type { MatchedRoute } from '../framework.ts';
import { checkHandles } from './check-handles.ts';

interface BuiltRoute {
  id: string;
  parentId?: string;
  path?: string;
  index?: boolean;
  module: object;
}

export type BuiltRoutes = Record<string, BuiltRoute | undefined>;

/** A route as routers match it. */
export type RouteNode = { id: string; path?: string; handle: unknown } & (
  { index: true } | { index?: false; children: RouteNode[] }
);

/**
 * Finds the route of a path. A framework's handler matches each address several times, compiling every route's pattern each
 * time: a handler with only the route and its layouts has little to compile. Handlers are created on first
 * use.
 *
 * @param routesOf the matching route, after its layouts.
 * @param responder responds with these routes alone, or with all of them.
 */
export function createMatcher(
  routesOf: (pathname: string) => readonly Pick<RouteNode, 'id' | 'handle'>[],
  responder: (ids?: Set<string>) => MatchedRoute['respond'],
): (pathname: string) => MatchedRoute {
  const unmatched = { handle: {}, respond: responder() };
  const byLeaf = new Map<string, MatchedRoute>();
  return (pathname) => {
    const routes = routesOf(pathname);
    const leaf = routes.at(-1);
    if (!leaf) return unmatched;
    let matched = byLeaf.get(leaf.id);
    if (!matched) {
      const respond = responder(new Set(routes.map(({ id }) => id)));
      byLeaf.set(leaf.id, (matched = { handle: handleOf(routes), respond }));
    }
    return matched;
  };
}

/** Merges the handles of the matched routes, layouts first. */
function handleOf(routes: readonly Pick<RouteNode, 'handle'>[]): RouteHandle {
  const handles = routes.map(({ handle }) => (handle ?? {}) as RouteHandle);
  // The body limit is the largest, because a form may post to a layout. Everything else is the leaf's.
  const limits = handles.flatMap(({ body }) => body ?? []);
  const { access, cache, embeddable } = handles.at(-1) ?? {};
  return {
    ...(access && { access }),
    ...(limits.length > 0 && { body: Math.max(...limits) }),
    ...(cache && { cache }),
    ...(embeddable && { embeddable }),
  };
}

/** @throws {RouteHandleError} for the first route whose handle is invalid. */
export function checkRoutes(routes: BuiltRoutes, isResource: Site['isResource']): void {
  const declared = builtRoutesIn(routes).map(({ id, module }) => {
    const { default: page, handle }: { default?: unknown; handle?: RouteHandle } = module;
    return { id, path: pathOf(routes, id), handle: handle ?? {}, isPage: page !== undefined };
  });
  checkHandles(declared, isResource);
}

/** A route's complete path pattern. */
export function pathOf(routes: BuiltRoutes, id: string): string {
  const { path = '', parentId } = routes[id] ?? {};
  const parent = parentId === undefined ? '' : pathOf(routes, parentId);
  return `${parent}/${path}`.replaceAll(/\/+/g, '/');
}

/** The routes as a tree for a router, with their handles. */
export function treeOf(routes: BuiltRoutes, parentId?: string): RouteNode[] {
  const children = builtRoutesIn(routes).filter((route) => route.parentId === parentId);
  return children.map(({ id, path, index, module }): RouteNode => {
    const { handle }: { handle?: unknown } = module;
    const own = { id, ...(path !== undefined && { path }), handle };
    return index ? { ...own, index } : { ...own, children: treeOf(routes, id) };
  });
}

/** The parts of a build that name its routes. */
interface Build {
  routes: BuiltRoutes;
  assets: { routes: Record<string, unknown> };
}

/** The build with its pages alone. */
export function withoutResources<Own extends Build>(
  build: Own,
  isResource: Site['isResource'],
): Own {
  return withoutOthers(build, (id) => !isResource(pathOf(build.routes, id)));
}

/** The build with these routes alone. */
export function withoutOthers<Own extends Build>(build: Own, isKept: (id: string) => boolean): Own {
  const keptOf = <Route>(routes: Record<string, Route>) =>
    Object.fromEntries(Object.entries(routes).filter(([id]) => isKept(id)));
  return {
    ...build,
    routes: keptOf(build.routes),
    assets: { ...build.assets, routes: keptOf(build.assets.routes) },
  };
}

function builtRoutesIn(routes: BuiltRoutes): BuiltRoute[] {
  return Object.values(routes).filter((route) => route !== undefined);
}
