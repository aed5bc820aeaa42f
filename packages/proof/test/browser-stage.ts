/** A stage for the browser checks, with the routes of `browser-site.mjs` defined by hand instead of crawled. */
import type { Finding } from '../src/findings/finding.ts';
import type { Route } from '../src/inventory/route.ts';
import { createPeople } from '../src/people/people.ts';
import type { Report, RouteUnderProof, Stage } from '../src/stage/stage.ts';
import { httpVisitor } from '@gatehouse/simulator/http';
import type { PlatformDefinition } from '@gatehouse/simulator';
import { startPlatform } from '@gatehouse/simulator/platform';
import { startSite } from '@gatehouse/simulator/programs';
import { siteSettings } from '@gatehouse/simulator/fixtures';

export interface HandmadeRoute {
  path: string;
  kind?: Route['kind'];
  loader?: string[];
  action?: string[];
  access?: Route['access'];
}

export interface HandmadeStage extends Stage {
  /** The codes of a route's findings. */
  codesOf: (path: string) => string[];
  findings: Omit<Finding, 'file'>[];
  /** The checks that have finished with a page. */
  checksOf: (path: string) => string[];
  close: () => Promise<void>;
}

export async function openHandmadeStage<State, Name extends string>(
  definition: PlatformDefinition<State, Name>,
  entry: string,
  routes: readonly HandmadeRoute[],
): Promise<HandmadeStage> {
  const named = await startPlatform(definition, { port: 0, internalPort: 0 });
  const platform = named as unknown as Stage['platform'];
  const site = await startSite({ ...siteSettings(platform), entry });
  platform.setSiteUpstream(site.url);
  const [first, second] = createPeople(platform, 2);
  if (!first || !second) throw new Error('The simulator created no personas.');

  const known = routes.map(
    ({ path, kind = 'page', loader = [], action = [], access = 'platform' }): RouteUnderProof => ({
      ...{
        id: path,
        path,
        file: entry,
        kind,
        isLayout: false,
        isPublic: false,
        showsPublished: false,
      },
      loader: { reachesSdk: null },
      action: { reachesSdk: null },
      access,
      addresses: new Map([first, second].map((person) => [person, [path]])),
      submissions: new Map(),
      refused: [],
      operations: { loader: new Set(loader), action: new Set(action) },
    }),
  );
  const findings: Omit<Finding, 'file'>[] = [];
  const checked: { check: string; path: string }[] = [];
  const report: Report = {
    find: (code, route, message) => findings.push({ code, route: route?.path ?? '*', message }),
    checked: (check, { path }) => checked.push({ check, path }),
    notObserved: () => undefined,
  };
  return {
    inventory: { routes: known, homeData: null, clientFolders: [] },
    platform,
    onThisMachine: (milliseconds) => milliseconds,
    auth: 'platform',
    site: null,
    siteLog: () => '',
    routes: known,
    allRoutes: known,
    seeded: [first, second],
    addPeople: (count) => createPeople(platform, count),
    crawl: () =>
      Promise.resolve({
        addresses: new Map(known.map((route) => [route, [...(route.addresses.get(first) ?? [])]])),
        submissions: new Map(),
        refused: new Map(),
        forms: new Map(),
      }),
    send: (who, { path, ...request }) => httpVisitor(platform, who?.id ?? null).send(path, request),
    report,
    findings,
    checksOf: (path) => checked.filter((entry) => entry.path === path).map(({ check }) => check),
    codesOf: (path) => [
      ...new Set(findings.filter(({ route }) => route === path).map(({ code }) => code)),
    ],
    async close() {
      await site.stop();
      await platform.close();
    },
  };
}
