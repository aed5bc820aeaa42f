/**
 * The listener on a port, configured for this site, with a platform double. Remix is left to the
 * test.
 */
import { vi } from 'vitest';
import { startListener } from '@gatehouse/server/testing/listening-site';
import { site } from '~/server/site';
import { startPlatformInSettings } from '~/testing/platform/platform-with-ada';

/** Call once at the top of a test file that mocks the log. State is reset before each test. */
export async function startListeningSite() {
  const platform = await startPlatformInSettings();
  vi.stubEnv('SITE_ORIGIN', 'https://site.example');
  vi.stubEnv('PLATFORM_FRAME_ANCESTORS', 'https://platform.example');
  return { platform, ...(await startListener(site, site.settings())) };
}
