/**
 * What another site makes the browser of somebody send who is signed in to a site account: refused, and nothing of
 * what the site keeps has changed. One request after the other, since rows do not tell who changed them.
 */
import type { Stage } from '../../stage/stage';
import { changedTables, withoutFile } from '../../stage/store';
import type { Check } from '../check';
import { fromElsewhere, judgeStatus } from '../other-sites';

export const accountOtherSites: Check = {
  name: 'other-sites',
  async run(stage) {
    if (!stage.site) return;
    for (const route of stage.routes) {
      if (route.access !== 'account' || !route.action) continue;
      for (const { from, request } of fromElsewhere(route, stage)) {
        const before = stage.site.store?.snapshot();
        const { status } = await stage.ask(stage.seeded[0], request);
        judgeStatus(stage, route, request, from, status);
        const [table] = changesSince(before, stage);
        if (table === undefined) continue;
        const message = `${request.method ?? 'POST'} ${request.path} from ${from} (${status}) changed rows of the table ${table}.`;
        stage.report.find('other-sites/store-changed', route, message);
      }
      if (stage.site.store) stage.report.looked('other-sites', route);
      else stage.report.notObserved('other-sites', route, withoutFile);
    }
  },
};

function changesSince(
  before: ReturnType<NonNullable<NonNullable<Stage['site']>['store']>['snapshot']> | undefined,
  { site }: Stage,
): string[] {
  if (!before || !site?.store) return [];
  return changedTables(before, site.store.snapshot(), site.passingTables);
}
