/** A whole site in memory, for tests, with React Router. */
import {
  createSiteOf,
  type TestSite,
  type TestSiteOptions as Options,
} from '../../testing/test-site.ts';
import { serverBuildOf, type Entry, type Module } from './server-build.ts';

export * from '../../testing/test-site.ts';
export { serverBuildOf };

export type TestSiteOptions = Options<Module, Entry>;

export function createTestSite(options: TestSiteOptions): Promise<TestSite> {
  return createSiteOf({ serverBuildOf, homeData: '/_.data' }, options);
}
