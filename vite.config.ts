import { fileURLToPath } from 'node:url';
import tailwindcss from '@tailwindcss/vite';
import { siteServer } from 'site-server/vite';
import { defineConfig } from 'vite';

/**
 * better-auth and what it stands on are built into the server, and are development dependencies: better-auth names
 * Vitest and other tools as peers, and npm would install those in production too.
 */
const builtIn =
  /^(@better-(auth|fetch)\/|@noble\/|@standard-schema\/|(better-(auth|call)|defu|jose|nanostores|rou3|set-cookie-parser)(\/|$))/;

export default defineConfig(({ command }) => ({
  plugins: [tailwindcss(), siteServer()],
  resolve: { alias: { '~': fileURLToPath(new URL('app', import.meta.url)) } },
  ...(command === 'build' && { ssr: { noExternal: [builtIn] } }),
}));
