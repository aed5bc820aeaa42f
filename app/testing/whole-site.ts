/** This site in memory, for tests: its real routes, root and Remix. */
import {
  createTestSite,
  type TestSite,
  type TestSiteOptions,
} from '@gatehouse/server/remix/testing';
import * as entry from '~/entry.server';
import * as root from '~/root';
import routes from '~/routes';
import { site } from '~/server/site';

export {
  post,
  postJson,
  siteOrigin,
  type RouteRequest,
  type TestSite,
} from '@gatehouse/server/remix/testing';

const modules = import.meta.glob<TestSiteOptions['root']>([
  '../**/routes/**/*.{ts,tsx}',
  '!../**/*.test.{ts,tsx}',
]);

/** @param extra routes that a test adds, by path. */
export function startSite(extra: TestSiteOptions['extra'] = {}): Promise<TestSite> {
  const load: TestSiteOptions['load'] = (file) => {
    const module = modules[`../${file}`];
    if (!module) throw new Error(`No such file: ${file}`);
    return module();
  };
  return createTestSite({ site, entry, root, routes, load, extra });
}
