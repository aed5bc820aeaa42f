/** The site in production: `npm start`. Built by Vite beside the Remix server build. */
import { fileURLToPath } from 'node:url';
import { createAssets } from '../../packages/site-server/src/answers/assets';
import { createRemixHandler } from '../../packages/site-server/src/remix/remix-handler';
import { serve } from '../../packages/site-server/src/serve';

await serve(async (env) => ({
  assets: createAssets(fileURLToPath(new URL('../client', import.meta.url)), env),
  // Not before the settings are read: React looks at NODE_ENV once, when it loads.
  ...createRemixHandler(await import('virtual:remix/server-build'), 'production'),
}));
