/** The platform for a file of the harness's own tests: as at its start for each, and closed with the last. */
import { afterAll, afterEach } from 'vitest';

import { startPlatform, type Platform } from '../../platform';
import type { PlatformOptions } from '../platform';
import { openRelaySite, type RelaySite } from './relay-site';

export async function openTestPlatform(options: PlatformOptions = {}): Promise<Platform> {
  const platform = await startPlatform({ port: 0, internalPort: 0, ...options });
  afterEach(() => platform.reset());
  afterAll(() => platform.close());
  return platform;
}

/** With a relay site behind it. */
export async function openTestSite(
  options: PlatformOptions = {},
): Promise<{ platform: Platform; site: RelaySite }> {
  const platform = await openTestPlatform(options);
  const site = await openRelaySite(platform);
  afterEach(() => {
    platform.setSiteUpstream(site.url);
  });
  afterAll(() => {
    site.close();
  });
  return { platform, site };
}
