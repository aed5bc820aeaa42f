/** Optional parts of a page, such as workspaces and prices. */
import { type PassedGuard, PlatformSdkError } from '@gatehouse/platform/server';
import { createPlatformSdk, type PlatformSdk } from '~/platform.server';

/** Milliseconds that a page waits for them. */
const deadline = 1_500;

/**
 * Null if the part fails or is late, since the page works without it. A late call is aborted: none
 * may be sent once the page has been answered (W13).
 */
export async function withinDeadline<T>(
  guard: PassedGuard,
  part: (sdk: PlatformSdk) => Promise<T>,
): Promise<T | null> {
  try {
    return await part(createPlatformSdk(guard, { signal: AbortSignal.timeout(deadline) }));
  } catch (error) {
    if (error instanceof PlatformSdkError) return null;
    throw error;
  }
}
