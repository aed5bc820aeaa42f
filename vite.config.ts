import { fileURLToPath } from 'node:url';
import tailwindcss from '@tailwindcss/vite';
import { siteServer } from '@gatehouse/server/vite';
import {
  defineConfig,
  type Plugin, // auth: accounts
} from 'vite';

// auth: accounts
/**
 * Bundles better-auth and its dependencies into the server build, so that they can be development dependencies:
 * better-auth lists Vitest and other tools as peer dependencies, which npm would otherwise install in production, too.
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
