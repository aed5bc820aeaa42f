// auth: platform
/** The listener on a port as this site has it, with Remix left to the test, on a double of the platform. */
import { vi } from 'vitest';
import { startListener } from 'site-server/test/listening-site';
import { site } from '~/server/site';
import { startPlatformDouble } from './upstream-double';

/** Call it once, at the top of a test file that has the log's double. Each test starts anew. */
export async function startListeningSite() {
  const platform = await startPlatformDouble();
  vi.stubEnv('SITE_ORIGIN', 'https://site.example');
  vi.stubEnv('PLATFORM_FRAME_ANCESTORS', 'https://platform.example');
  return { platform, ...(await startListener(site, site.settings())) };
}
