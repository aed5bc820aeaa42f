/** The server of a built site, and its parts for other uses and tests. */
import { fileURLToPath } from 'node:url';
import { createAssets } from './responses/assets.ts';
import { serve } from './serve.ts';
import type { Site } from './site.ts';

export { handleRequests, createHttpServer } from './connections/http-server.ts';
export { createSite, loadFeatures, type LoadedBy, type SiteFeature } from './features.ts';
export { createListener, type ListenerOptions } from './listener/listener.ts';
export { isUntrustedHeader } from './requests/request-checks.ts';
export { createRequestContext } from './requests/request-context.ts';
export type { MatchedRoute, RouteMatcher } from './framework.ts';
export type { ServerSettings, Site } from './site.ts';

export interface BuiltSite {
  /** The directory of the client build. */
  client: URL;
  /** Called only after the settings are read, because React reads NODE_ENV when it is loaded. */
  build: () => Promise<unknown>;
}

/** Runs a built site until SIGTERM or SIGINT. */
export async function serveBuild(site: Site, { client, build }: BuiltSite): Promise<void> {
  await serve(site, async (settings) => ({
    assets: createAssets(fileURLToPath(client), settings),
    ...site.framework.createHandler(await build(), 'production', site),
  }));
}
