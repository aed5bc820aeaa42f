/** Remix, as the last thing on the road: resources and pages are matched apart. */
import { createRequestHandler, type AppLoadContext, type ServerBuild } from '@remix-run/node';

/**
 * Remix matches an address three times for each page, and compiles the pattern of every route to do
 * so. None of the resources under `/api` can be a page, nor a page one of them.
 */
export function createRemixHandler(build: ServerBuild, mode: 'development' | 'production') {
  const everything = createRequestHandler(build, mode);
  const pages = createRequestHandler(withoutResources(build), mode);
  return (request: Request, context: AppLoadContext): Promise<Response> =>
    context.kind === 'resource' ? everything(request, context) : pages(request, context);
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
