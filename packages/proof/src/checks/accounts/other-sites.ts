/**
 * Cross-site writes with the cookies of a site account are rejected and change no row. Requests run one at a time,
 * because a changed row does not show which request changed it.
 */
import type { RouteUnderProof, Stage } from '../../stage/stage.ts';
import { changedTables, withoutFile } from '../../stage/store.ts';
import { checkRoutes, inSequence, type Check } from '../check.ts';
import { fromElsewhere, checkStatus } from '../other-sites.ts';

export const accountOtherSites: Check = {
  name: 'other-sites',
  async run(stage) {
    const { site } = stage;
    if (!site) return;
    const routes = stage.routes.filter(({ access, action }) => access === 'account' && action);
    const checkRoute = async (route: RouteUnderProof) => {
      for (const { from, request } of fromElsewhere(route, stage)) {
        const before = site.store?.snapshot();
        const { status } = await stage.send(stage.seeded[0], request);
        checkStatus(stage, route, request, from, status);
        const [table] = changesSince(before, stage);
        if (table === undefined) continue;
        const message = `${request.method ?? 'POST'} ${request.path} from ${from} (${status}) changed rows in table ${table}.`;
        stage.report.find('other-sites/store-changed', route, message);
      }
      if (site.store) stage.report.checked('other-sites', route);
      else stage.report.notObserved('other-sites', route, withoutFile);
    };
    await checkRoutes(stage, 'other-sites', routes, checkRoute, inSequence);
  },
};

function changesSince(
  before: ReturnType<NonNullable<NonNullable<Stage['site']>['store']>['snapshot']> | undefined,
  { site }: Stage,
): string[] {
  if (!before || !site?.store) return [];
  return changedTables(before, site.store.snapshot(), site.passingTables);
}
