/** A server build like the Remix compiler's, from routes given as modules. */
import type { ServerBuild } from '@remix-run/node';

/** @param entry renders pages. */
export function serverBuildOf(
  routes: ServerBuild['routes'],
  entry: ServerBuild['entry']['module'],
): ServerBuild {
  const manifest = Object.fromEntries(
    Object.values(routes).map(({ module, ...route }) => [
      route.id,
      {
        ...route,
        module: `/assets/${route.id}.js`,
        imports: [],
        css: [],
        hasAction: module.action !== undefined,
        hasLoader: module.loader !== undefined,
        hasClientAction: false,
        hasClientLoader: false,
        hasErrorBoundary: module.ErrorBoundary !== undefined,
      },
    ]),
  );
  return {
    mode: 'production',
    entry: { module: entry },
    routes,
    assets: {
      version: '1',
      url: '/assets/manifest.js',
      entry: { module: '/assets/entry.js', imports: [] },
      routes: manifest,
    },
    publicPath: '/',
    assetsBuildDirectory: 'build/client',
    future: {
      v3_fetcherPersist: true,
      v3_relativeSplatPath: true,
      v3_singleFetch: true,
      v3_throwAbortReason: true,
      v3_lazyRouteDiscovery: false,
    },
    isSpaMode: false,
  };
}
