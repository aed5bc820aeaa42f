/** A platform with one operation. */
import { definePlatform } from '../src/server/platform.ts';
import { operation } from '../src/server/sdk/operation.ts';
import { startPlatformDouble } from '../src/testing/upstream-double.ts';

/** @param internalUrl read at the first call. */
export function smallPlatform(internalUrl: () => string) {
  return definePlatform({
    settings: () => ({ internalUrl: internalUrl(), offlineDemo: false }),
    operations: { posts: { touch: operation({ post: '/posts', inWorkspace: true }) } },
    demo: () => Promise.reject(new Error('This platform is no demo.')),
  });
}

/** With a double of the platform. Call once at the top of a test file; reset between tests. */
export async function startSmallPlatform() {
  const platform = await startPlatformDouble();
  return { platform, ...smallPlatform(() => platform.url) };
}
