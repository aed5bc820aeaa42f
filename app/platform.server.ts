/**
 * Opens the SDK (W12, W13): for a passed guard only, and returning only safe website data. The
 * platform's internals stay in the adapters.
 */
import { siteEnv } from '~/env.server';
import {
  contextOf,
  type PassedGuard,
  createSdkCalls,
  type SdkCallsOptions,
  PlatformSdkError,
} from '@gatehouse/platform/server';
import { createCredits } from './platform/credits/http.server';
import { createGenerations } from './platform/generations/http.server';
import { createMediaFiles } from './platform/media/http.server';
import { createMemorySdk } from './platform/memory.server';
import type { PlatformSdk } from './platform/port.server';
import { createWorkspaces } from './platform/workspaces/http.server';

export {
  checkPlatformUser,
  hasAskedPlatform,
  relayPlatformUser,
  requirePlatformUser,
  userRelayResponse,
} from '@gatehouse/platform/server';

export interface SdkOptions {
  /**
   * The id of the workspace to act in: for estimates, orders, lists, events, uploads and credits.
   * Operations on one thing's id need none. Without it, the platform uses the one the visitor has
   * chosen.
   */
  workspace?: string | undefined;
  /** Aborts every call, as the visitor's disconnection does. */
  signal?: AbortSignal | undefined;
}

/**
 * @param guard passed by `checkPlatformUser` in this request.
 * @throws {TypeError} when the guard was made by anything else.
 * @throws {PlatformSdkError} 502 when the guard passed but the profile is not an object: there is
 *   nobody to act for.
 */
export function createPlatformSdk(
  guard: PassedGuard,
  { workspace, signal }: SdkOptions = {},
): PlatformSdk {
  const context = contextOf(guard);
  const { user } = guard;
  if (typeof user !== 'object' || user === null || Array.isArray(user)) {
    throw new PlatformSdkError(502, 'upstream_unavailable');
  }
  if (!siteEnv().offlineDemo) {
    const stops = [context.signal, signal].filter((one) => one !== undefined);
    return createHttpSdk({
      context: signal ? { ...context, signal: AbortSignal.any(stops) } : context,
      workspace,
    });
  }
  return createMemorySdk('id' in user ? String(user.id) : '', workspace);
}

function createHttpSdk(options: SdkCallsOptions): PlatformSdk {
  const calls = createSdkCalls(options);
  return {
    generations: createGenerations(calls),
    media: createMediaFiles(calls),
    workspaces: createWorkspaces(calls),
    credits: createCredits(calls),
  };
}
