/** What Vite does for Remix 2. */
import { vitePlugin } from '@remix-run/dev';

const future = {
  v3_fetcherPersist: true,
  v3_relativeSplatPath: true,
  v3_routeConfig: true,
  v3_singleFetch: true,
  v3_throwAbortReason: true,
  // It uses sessionStorage unguarded: in a frame without storage access, every client navigation would
  // break.
  v3_lazyRouteDiscovery: false,
};

/**
 * Writes the flags into Remix's browser code, which otherwise reads them at run time: what they switch off is left out of
 * the build.
 *
 * @returns {import('vite').Plugin}
 */
function constantFlags() {
  return {
    name: 'gatehouse:constant-flags',
    apply: 'build',
    transform(code, id, options) {
      if (options?.ssr || !id.includes('/@remix-run/react/dist/esm/')) return;
      const flagged = code.replace(/\b(?:\w+\.)*future\.(v3_\w+)/g, (whole, name) =>
        name in future ? String(future[/** @type {keyof typeof future} */ (name)]) : whole,
      );
      return { code: flagged, map: null };
    },
  };
}

export const framework = {
  /** The module of the server build. */
  serverBuild: 'virtual:remix/server-build',
  /** The packages of the server that route files import. */
  serverPackages: ['@remix-run/node'],
  plugins: () => [vitePlugin({ future }), constantFlags()],
};
