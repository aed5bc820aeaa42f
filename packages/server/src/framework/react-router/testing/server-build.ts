/** A server build like React Router's compiler's, from routes given as modules. */
import type { ServerBuild } from 'react-router';

type Route = NonNullable<ServerBuild['routes'][string]>;
export type Module = { [Name in keyof Route['module']]?: Route['module'][Name] | undefined };
export type Entry = ServerBuild['entry']['module'];
export type TestRoute = Omit<Route, 'module'> & { module: Module };

/** @param entry renders pages. */
export function serverBuildOf(routes: Record<string, TestRoute>, entry: Entry): ServerBuild {
  const manifest = Object.fromEntries(
    Object.values(routes).map(({ module, ...route }) => [
      route.id,
      {
        ...route,
        module: `/assets/${route.id}.js`,
        clientActionModule: undefined,
        clientLoaderModule: undefined,
        clientMiddlewareModule: undefined,
        hydrateFallbackModule: undefined,
        imports: [],
        css: [],
        hasAction: module.action !== undefined,
        hasLoader: module.loader !== undefined,
        hasClientAction: false,
        hasClientLoader: false,
        hasClientMiddleware: false,
        hasErrorBoundary: module.ErrorBoundary !== undefined,
      },
    ]),
  );
  return {
    entry: { module: entry },
    // A resource has no default export, which the type asks of all.
    routes: routes as ServerBuild['routes'],
    assets: {
      version: '1',
      url: '/assets/manifest.js',
      entry: { module: '/assets/entry.js', imports: [] },
      routes: manifest,
    },
    publicPath: '/',
    assetsBuildDirectory: 'build/client',
    future: {
      v8_middleware: true,
      v8_passThroughRequests: true,
      v8_trailingSlashAwareDataRequests: true,
    },
    ssr: true,
    // eslint-disable-next-line @typescript-eslint/no-deprecated -- the type still asks for it
    isSpaMode: false,
    prerender: [],
    routeDiscovery: { mode: 'initial', manifestPath: '/__manifest' },
  };
}
