/** This site's connection to the platform: the guard, the relay, and the SDK of `app/platform/`. */
import { definePlatform } from '@gatehouse/platform/server';
import { siteEnv } from './env.server';
import { createCredits } from './platform/credits/http.server';
import { createGenerations } from './platform/generations/http.server';
import { createMediaFiles } from './platform/media/http.server';
import type { PlatformSdk } from './platform/port.server';
import { createWorkspaces } from './platform/workspaces/http.server';

export const {
  checkPlatformUser,
  createPlatformSdk,
  hasAskedPlatform,
  relayPlatformUser,
  requirePlatformUser,
  userRelayResponse,
} = definePlatform<PlatformSdk>({
  settings() {
    const { platformInternalUrl: internalUrl, offlineDemo } = siteEnv();
    return { internalUrl, offlineDemo };
  },
  sdk: (calls) => ({
    generations: createGenerations(calls),
    media: createMediaFiles(calls),
    workspaces: createWorkspaces(calls),
    credits: createCredits(calls),
  }),
  demo: () => import('./platform/simulated/demo'),
});
