/** The site in production: `npm start`. Built by Vite beside the Remix server build. */
import { fileURLToPath } from 'node:url';
import { createAssets } from './assets.server';
import { createRemixHandler } from './remix-handler.server';
import { serve } from './serve.server';

await serve(async (env) => ({
  assets: createAssets(fileURLToPath(new URL('../client', import.meta.url)), env),
  // Not before the settings are read: React looks at NODE_ENV once, when it loads.
  ...createRemixHandler(await import('virtual:remix/server-build'), 'production'),
}));
