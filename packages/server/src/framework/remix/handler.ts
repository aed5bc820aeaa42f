/** Remix's request handler, with the route information that the listener needs. */
import { createRequestHandler, type ServerBuild } from '@remix-run/node';
import { matchRoutes } from '@remix-run/router';
import type { Site } from '../../site.ts';
import type { MatchedRoute, RouteMatcher } from '../../framework.ts';
import {
  checkRoutes,
  createMatcher,
  treeOf,
  withoutOthers,
  withoutResources,
} from '../built-routes.ts';
import { pagePath } from './addresses.ts';
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
  const wrapped = { ...build, routes: wrapHandlers(build.routes, responseFor) };
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
