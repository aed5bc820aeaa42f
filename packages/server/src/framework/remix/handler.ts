/** Remix's request handler, with the route information that the listener needs. */
import { createRequestHandler, type ServerBuild } from '@remix-run/node';
import { matchRoutes, type AgnosticDataRouteObject } from '@remix-run/router';
import type { RouteHandle } from '../../route.ts';
import type { Site } from '../../site.ts';
import type { MatchedRoute, RouteMatcher } from '../../framework.ts';
import { checkHandles, type DeclaredRoute } from '../check-handles.ts';
import { pagePath } from './addresses.ts';
import { wrapHandlers } from './route-handlers.ts';

type Mode = 'development' | 'production';
type HandlerOptions = Pick<Site, 'isResource' | 'responseFor'>;
type IsResource = Site['isResource'];

/**
 * Pages and resources are matched separately, so that neither can be served at the other's addresses.
 *
 * @throws {RouteHandleError} when a route's handle is invalid.
 */
export function createHandler(
  build: ServerBuild,
  mode: Mode,
  { isResource, responseFor }: HandlerOptions,
): RouteMatcher {
  checkHandles(
    Object.keys(build.routes).map((id) => declaredOf(build.routes, id)),
    isResource,
  );
  const wrapped = { ...build, routes: wrapHandlers(build.routes, responseFor) };
  const everything = createMatcher(wrapped, mode);
  const pages = createMatcher(withoutResources(wrapped, isResource), mode);
  return {
    match: ({ pathname }) => (isResource(pathname) ? everything : pages)(pathname),
  };
}

/**
 * Finds the route of a path. Remix matches each address several times, compiling every route's pattern each
 * time: a handler with only the route and its layouts has little to compile. Handlers are created on first
 * use.
 */
function createMatcher(build: ServerBuild, mode: Mode): (pathname: string) => MatchedRoute {
  const tree = treeOf(build.routes);
  const unmatched = { handle: {}, respond: responder(build, mode) };
  const byLeaf = new Map<string, MatchedRoute>();
  return (pathname) => {
    const routes = (matchRoutes(tree, pagePath(pathname)) ?? []).map(({ route }) => route);
    const leaf = routes.at(-1);
    if (!leaf) return unmatched;
    let matched = byLeaf.get(leaf.id);
    if (!matched) {
      const ids = new Set(routes.map(({ id }) => id));
      const respond = responder(withRoutes(build, ids), mode);
      byLeaf.set(leaf.id, (matched = { handle: handleOf(routes), respond }));
    }
    return matched;
  };
}

/** The context is what `index.ts` declares Remix's to be, without the names that Remix leaves open. */
const responder = (build: ServerBuild, mode: Mode) =>
  createRequestHandler(build, mode) as MatchedRoute['respond'];

/**
 * The build with only these routes. Pages are still rendered with the complete manifest, which their links
 * need.
 */
function withRoutes(build: ServerBuild, ids: Set<string>): ServerBuild {
  const { default: render, ...entry } = build.entry.module;
  const routeModules = Object.fromEntries(
    Object.values(build.routes).map(({ id, module }) => [id, module]),
  );
  return {
    ...withoutOthers(build, (id) => ids.has(id)),
    entry: {
      module: {
        ...entry,
        default: (request, status, headers, remixContext, ...rest) => {
          const context = { ...remixContext, manifest: build.assets, routeModules };
          return render(request, status, headers, context, ...rest);
        },
      },
    },
  };
}

function withoutResources(build: ServerBuild, isResource: IsResource): ServerBuild {
  return withoutOthers(build, (id) => !isResource(pathOf(build.routes, id)));
}

function withoutOthers(build: ServerBuild, isKept: (id: string) => boolean): ServerBuild {
  const keptOf = <Route>(routes: Record<string, Route>) =>
    Object.fromEntries(Object.entries(routes).filter(([id]) => isKept(id)));
  return {
    ...build,
    routes: keptOf(build.routes),
    assets: { ...build.assets, routes: keptOf(build.assets.routes) },
  };
}

/** Merges the handles of the matched routes, layouts first. */
function handleOf(routes: AgnosticDataRouteObject[]): RouteHandle {
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

function declaredOf(routes: ServerBuild['routes'], id: string): DeclaredRoute {
  const module: { default?: unknown; handle?: unknown } = routes[id]?.module ?? {};
  return {
    id,
    path: pathOf(routes, id),
    handle: module.handle ?? {},
    isPage: module.default !== undefined,
  };
}

/** A route's complete path pattern. */
function pathOf(routes: ServerBuild['routes'], id: string): string {
  const { path = '', parentId } = routes[id] ?? {};
  const parent = parentId === undefined ? '' : pathOf(routes, parentId);
  return `${parent}/${path}`.replaceAll(/\/+/g, '/');
}

/** The routes as a tree for `matchRoutes`, with their handles. */
function treeOf(routes: ServerBuild['routes'], parentId?: string): AgnosticDataRouteObject[] {
  const children = Object.values(routes).filter((route) => route.parentId === parentId);
  return children.map((route): AgnosticDataRouteObject => {
    const { id, path, index, module } = route;
    const own = { id, ...(path !== undefined && { path }), handle: module.handle };
    return index ? { ...own, index } : { ...own, children: treeOf(routes, id) };
  });
}
