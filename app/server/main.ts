/** The site in production: `npm start`. Built by Vite beside the Remix server build. */
import { fileURLToPath } from 'node:url';
import { createRequestHandler, type ServerBuild } from '@remix-run/node';
import { createAssets } from './assets.server';
import { serve } from './serve.server';

await serve(async (env) => {
  // Not before the settings are read: React looks at NODE_ENV once, when it loads.
  const build = await import('virtual:remix/server-build');
  const everything = createRequestHandler(build, 'production');
  const pages = createRequestHandler(withoutResources(build), 'production');
  return {
    assets: createAssets(fileURLToPath(new URL('../client', import.meta.url)), env),
    remix: (request, context) =>
      context.kind === 'resource' ? everything(request, context) : pages(request, context),
  };
});

/**
 * Remix matches an address three times for each page, and compiles the pattern of every route to do
 * so. None of the resources under `/api` can be a page, nor a page one of them.
 */
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
