import { fileURLToPath } from 'node:url';
import tailwindcss from '@tailwindcss/vite';
import { siteServer } from 'site-server/vite';
import {
  defineConfig,
  type Plugin, // auth: accounts
} from 'vite';

// auth: accounts
/**
 * better-auth and what it stands on are built into the server, and are development dependencies: better-auth names
 * Vitest and other tools as peers, and npm would install those in production too.
 */
const builtIn: Plugin = {
  name: 'built-in-accounts',
  apply: 'build',
  config: () => ({
    ssr: {
      noExternal: [
        /^(@better-(auth|fetch)\/|@noble\/|@standard-schema\/|(better-(auth|call)|defu|jose|nanostores|rou3|set-cookie-parser)(\/|$))/,
      ],
    },
  }),
};
// /auth

export default defineConfig({
  plugins: [
    tailwindcss(),
    siteServer(),
    builtIn, // auth: accounts
  ],
  resolve: { alias: { '~': fileURLToPath(new URL('app', import.meta.url)) } },
});
