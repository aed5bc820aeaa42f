/** The site in development: the same road as in production, with Vite for files and hot reload. */
import type { ServerBuild } from '@remix-run/node';
import { createRequestHandler } from '@remix-run/node';
import { createServer } from 'vite';
import { serve } from './serve.server';

await serve(async (_env, server) => {
  const vite = await createServer({
    appType: 'custom',
    server: { middlewareMode: true, hmr: { server } },
  });
  return {
    assets: vite.middlewares,
    remix: createRequestHandler(
      () => vite.ssrLoadModule('virtual:remix/server-build') as unknown as Promise<ServerBuild>,
      'development',
    ),
  };
});
