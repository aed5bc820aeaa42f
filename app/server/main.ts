/** The site in production: `npm start`. Built by Vite beside the Remix server build. */
import { fileURLToPath } from 'node:url';
import { createRequestHandler } from '@remix-run/node';
import { createAssets } from './assets.server';
import { serve } from './serve.server';

await serve(async (env) => ({
  assets: createAssets(fileURLToPath(new URL('../client', import.meta.url)), env),
  // Not before the settings are read: React looks at NODE_ENV once, when it loads.
  remix: createRequestHandler(await import('virtual:remix/server-build'), 'production'),
}));
