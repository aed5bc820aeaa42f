/** The whole site in memory, with a platform double, for tests of routes. */
import { startOthers } from '../other-features';
import { startSite } from '../whole-site';
import { startPlatformWithAda } from './platform-with-ada';

/** Call once at the top of a test file. The double is reset between tests. */
export async function startSiteOnPlatform(extra: Parameters<typeof startSite>[0] = {}) {
  await startOthers('platform');
  return { ...(await startPlatformWithAda()), site: await startSite(extra) };
}
