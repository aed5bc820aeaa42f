/** A platform whose SDK is nothing but its calls. */
import { definePlatform } from '../src/server/platform.ts';
import type { SdkCalls } from '../src/server/sdk/calls.ts';
import { startPlatformDouble } from '../src/testing/upstream-double.ts';

/** @param internalUrl read at the first call. */
export function smallPlatform(internalUrl: () => string) {
  return definePlatform<SdkCalls>({
    settings: () => ({ internalUrl: internalUrl(), offlineDemo: false }),
    sdk: (calls) => calls,
    demo: () => Promise.reject(new Error('This platform is no demo.')),
  });
}

/** With a double of the platform. Call once at the top of a test file; reset between tests. */
export async function startSmallPlatform() {
  const platform = await startPlatformDouble();
  return { platform, ...smallPlatform(() => platform.url) };
}
