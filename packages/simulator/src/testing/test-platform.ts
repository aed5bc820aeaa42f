/** A platform for a test file: reset after each test, and closed after the last. */
import { afterAll, afterEach } from 'vitest';

import type { PlatformDefinition } from '../definition.ts';
import { startPlatform, type Platform, type PlatformOptions } from '../platform.ts';
import { openRelaySite, type RelaySite } from './relay-site.ts';

export async function openTestPlatform<State, Name extends string>(
  definition: PlatformDefinition<State, Name>,
  options: PlatformOptions = {},
): Promise<Platform<State, Name>> {
  const platform = await startPlatform(definition, { port: 0, internalPort: 0, ...options });
  afterEach(() => platform.reset());
  afterAll(() => platform.close());
  return platform;
}

/** The same with a relay site behind it. */
export async function openTestSite<State, Name extends string>(
  definition: PlatformDefinition<State, Name>,
  options: PlatformOptions = {},
): Promise<{ platform: Platform<State, Name>; site: RelaySite }> {
  const platform = await openTestPlatform(definition, options);
  const site = await openRelaySite(platform);
  afterEach(() => {
    platform.setSiteUpstream(site.url);
  });
  afterAll(() => {
    site.close();
  });
  return { platform, site };
}
