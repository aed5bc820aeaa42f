/** A double of the platform, in the site's settings. */
import { vi } from 'vitest';
import { startPlatformDouble } from '@gatehouse/platform/testing/upstream-double';

/** For a whole test file: call it once at the top. Reset between tests. */
export async function startPlatformInSettings() {
  const platform = await startPlatformDouble();
  vi.stubEnv('PLATFORM_INTERNAL_URL', platform.url);
  return platform;
}
