/** The server of a built site, and its parts for other uses and tests. */
import { fileURLToPath } from 'node:url';
import type { ServerBuild } from '@remix-run/node';
import { createAssets } from './answers/assets';
import { createRemixHandler } from './remix/remix-handler';
import { serve } from './serve';
import type { Site } from './site';

export { answerRequests, createHttpServer } from './connections/http-server';
export { createListener, type ListenerOptions } from './listener/listener';
export { isUntrustedHeader } from './requests/request-checks';
export { createRequestContext } from './requests/request-context';
export { createRemixHandler } from './remix/remix-handler';
export type { MatchedRoute, RemixSite } from './remix/answer-with-remix';
export type { ServerSettings, Site } from './site';

export interface BuiltSite {
  /** The directory of the client build. */
  client: URL;
  /** Called only after the settings are read, because React reads NODE_ENV when it is loaded. */
  build: () => Promise<ServerBuild>;
}

/** Runs a built site until SIGTERM or SIGINT. */
export async function serveBuild(site: Site, { client, build }: BuiltSite): Promise<void> {
  await serve(site, async (settings) => ({
    assets: createAssets(fileURLToPath(client), settings),
    ...createRemixHandler(await build(), 'production', site),
  }));
}
