/** This site's connection to the platform: the guard, the relay, and the SDK of `app/platform/`. */
import { definePlatform } from '@gatehouse/platform/server';
import { siteEnv } from './env.server';
import type {} from './platform/error-codes';
import * as operations from './platform/operations';

export const {
  checkPlatformUser,
  createPlatformSdk,
  hasCheckedPlatform,
  loadUserState,
  relayPlatformUser,
  requirePlatformSdk,
  requirePlatformUser,
  userRelayResponse,
} = definePlatform({
  settings() {
    const { platformInternalUrl: internalUrl, offlineDemo } = siteEnv();
    return { internalUrl, offlineDemo };
  },
  operations,
  demo: () => import('./platform/simulated/demo'),
});

export type PlatformSdk = ReturnType<typeof createPlatformSdk>;
