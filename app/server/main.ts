/** The site in production: `npm start`. Built by Vite beside the Remix server build. */
import { fileURLToPath } from 'node:url';
import { createRequestHandler } from '@remix-run/node';
import sirv from 'sirv';
import { headersFor } from './headers.server';
import { serve } from './serve.server';

await serve(async (env) => ({
  assets: sirv(fileURLToPath(new URL('../client', import.meta.url)), {
    etag: true,
    setHeaders(response, path) {
      const headers = headersFor({ kind: 'asset', env });
      for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
      // The names of these hold a hash of what is in them.
      const immutable = path.startsWith('/assets/');
      response.setHeader(
        'cache-control',
        immutable ? 'public, max-age=31536000, immutable' : 'public, max-age=3600',
      );
    },
  }),
  // Not before the settings are read: React looks at NODE_ENV once, when it loads.
  remix: createRequestHandler(await import('virtual:remix/server-build'), 'production'),
}));
