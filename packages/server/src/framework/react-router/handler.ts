/** React Router's request handler, with the route information that the listener needs. */
import { createRequestHandler, matchRoutes, type ServerBuild } from 'react-router';
import type { Site } from '../../site.ts';
import type { MatchedRoute, RouteMatcher } from '../../framework.ts';
import {
  checkRoutes,
  createMatcher,
  treeOf,
  withoutOthers,
  withoutResources,
} from '../built-routes.ts';
import { addresses, pagePath } from './addresses.ts';
import { wrapHandlers } from '../route-handlers.ts';

type Mode = 'development' | 'production';
type HandlerOptions = Pick<Site, 'isResource' | 'responseFor'>;

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
  checkRoutes(build.routes, isResource);
  const wrapped = { ...build, routes: wrapHandlers(build.routes, responseFor, pageRequest) };
  const everything = matcherOf(wrapped, mode);
  const pages = matcherOf(withoutResources(wrapped, isResource), mode);
  return {
    match: ({ pathname }) => (isResource(pathname) ? everything : pages)(pathname),
  };
}

function matcherOf(build: ServerBuild, mode: Mode): (pathname: string) => MatchedRoute {
  const tree = treeOf(build.routes);
  return createMatcher(
    (pathname) => (matchRoutes(tree, pagePath(pathname)) ?? []).map(({ route }) => route),
    (ids) => responder(ids ? withRoutes(build, ids) : build, mode),
  );
}

/** Its address is the page's: React Router leaves that of the data, which a handler may put into a return path. */
function pageRequest(request: Request): Request {
  const url = new URL(request.url);
  if (!addresses.isData(url.pathname) && request.method !== 'POST') return request;
  const page = Object.assign(new URL(url), addresses.pageOf(url, request.method));
  return page.href === url.href ? request : new Request(page, request);
}

/** The context is what `index.ts` declares React Router's to be, without the class that React Router asks for. */
const responder = (build: ServerBuild, mode: Mode) =>
  createRequestHandler(build, mode) as MatchedRoute['respond'];

/**
 * The build with only these routes. Pages are still rendered with the complete manifest, which their links
 * need.
 */
function withRoutes(build: ServerBuild, ids: Set<string>): ServerBuild {
  const { default: render, ...entry } = build.entry.module;
  const routeModules = Object.fromEntries(
    Object.values(build.routes).flatMap((route) => (route ? [[route.id, route.module]] : [])),
  );
  return {
    ...withoutOthers(build, (id) => ids.has(id)),
    entry: {
      module: {
        ...entry,
        default: (request, status, headers, entryContext, ...rest) => {
          const context = { ...entryContext, manifest: build.assets, routeModules };
          return render(request, status, headers, context, ...rest);
        },
      },
    },
  };
}
