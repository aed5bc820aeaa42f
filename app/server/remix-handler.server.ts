/** Remix's request handler, and what the listener must know of its routes. */
import { createRequestHandler, type AppLoadContext, type ServerBuild } from '@remix-run/node';
import { matchRoutes, type AgnosticDataRouteObject } from '@remix-run/router';
import { RouteHandleError, type RouteHandle } from '~/route-handle';
import type { RemixSite } from './answer-with-remix.server';
import { isApiPath } from '~/frame/api-path';
import { keepRedirectsOnSite } from './redirects.server';

type ServerRoute = NonNullable<ServerBuild['routes'][string]>;

/**
 * Remix matches an address three times for each page, and compiles the pattern of every route to do
 * so. None of the resources under `/api` can be a page, nor a page one of them: they are matched apart.
 *
 * @throws {RouteHandleError} a route says of itself what cannot be.
 */
export function createRemixHandler(
  build: ServerBuild,
  mode: 'development' | 'production',
): RemixSite {
  refuseMachinePages(build.routes);
  const guarded = { ...build, routes: keepRedirectsOnSite(build.routes) };
  const everything = createRequestHandler(guarded, mode);
  const pages = createRequestHandler(withoutResources(guarded), mode);
  const tree = treeOf(build.routes);
  return {
    remix: (request: Request, context: AppLoadContext) =>
      context.kind === 'resource' ? everything(request, context) : pages(request, context),
    routeHandle: ({ pathname }) => {
      const path = pathname.replace(/\.data$/, '').replace(/^\/_root$/, '/');
      const handles = (matchRoutes(tree, path) ?? []).map(
        ({ route }) => (route.handle ?? {}) as RouteHandle,
      );
      // The body's limit is the largest, since a form may post to a layout. The rest is the leaf's alone.
      const limits = handles.flatMap(({ body }) => body ?? []);
      const { access, cache } = handles.at(-1) ?? {};
      return {
        ...(access && { access }),
        ...(limits.length > 0 && { body: Math.max(...limits) }),
        ...(cache && { cache }),
      };
    },
  };
}

/** A page asks who the visitor is, and a request from another site must not set off what a page does. */
function refuseMachinePages(routes: ServerBuild['routes']): void {
  const pathOf = ({ path = '', parentId }: Pick<ServerRoute, 'path' | 'parentId'>): string => {
    const parent = parentId === undefined ? undefined : routes[parentId];
    return `${parent ? pathOf(parent) : ''}/${path}`.replaceAll(/\/+/g, '/');
  };
  for (const [id, route] of Object.entries(routes)) {
    const handle = route.module.handle as RouteHandle | undefined;
    if (handle?.access !== 'machine') continue;
    const isPage = 'default' in route.module && (route.module.default as unknown) !== undefined;
    if (!isPage && isApiPath(pathOf(route))) continue;
    throw new RouteHandleError(
      `${id}: access 'machine' is for a resource route under /api/, not for a page.`,
    );
  }
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

function withoutResources(build: ServerBuild): ServerBuild {
  const pagesOf = <Route extends { path?: string }>(routes: Record<string, Route | undefined>) =>
    Object.fromEntries(
      Object.entries(routes).filter(([, route]) => !/^api(\/|$)/.test(route?.path ?? '')),
    ) as Record<string, Route>;
  return {
    ...build,
    routes: pagesOf(build.routes),
    assets: { ...build.assets, routes: pagesOf(build.assets.routes) },
  };
}
