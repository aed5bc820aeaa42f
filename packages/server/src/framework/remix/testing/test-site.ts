/** A whole site in memory, for tests, with Remix. */
import type { ServerBuild } from '@remix-run/node';
import {
  createSiteOf,
  type TestSite,
  type TestSiteOptions as Options,
} from '../../testing/test-site.ts';
import { serverBuildOf } from './server-build.ts';

export * from '../../testing/test-site.ts';
export { serverBuildOf };

export type TestSiteOptions = Options<
  ServerBuild['routes'][string]['module'],
  ServerBuild['entry']['module']
>;

export function createTestSite(options: TestSiteOptions): Promise<TestSite> {
  return createSiteOf({ serverBuildOf, homeData: '/_root.data' }, options);
}
