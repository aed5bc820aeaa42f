/** The site in development: the same road as in production, with Vite for files and hot reload. */
import type { ServerBuild } from '@remix-run/node';
import { createServer } from 'vite';
import { createRemixHandler } from './remix-handler.server';
import { serve } from './serve.server';

await serve(async (_env, server) => {
  const vite = await createServer({
    appType: 'custom',
    server: { middlewareMode: true, hmr: { server } },
  });
  // Vite remembers the build until a file of it changes.
  const site = async () => {
    const build = await vite.ssrLoadModule('virtual:remix/server-build');
    return createRemixHandler(build as ServerBuild, 'development');
  };
  return {
    assets: vite.middlewares,
    remix: async (request, context) => (await site()).remix(request, context),
    routeHandle: async (url) => (await site()).routeHandle(url),
  };
});
