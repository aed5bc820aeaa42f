/**
 * Routes whose handle names a role refuse a plain member, who has a site account and no role, in every kind of request, and no row
 * changes. Requests run one at a time, because a changed row does not show which request changed it.
 */
import type { RouteUnderProof, Stage } from '../../stage/stage.ts';
import { changedTables } from '../../stage/store.ts';
import { checkRoutes, inSequence, type Check } from '../check.ts';
import { formsOf } from '../request-forms.ts';

export const roles: Check = {
  name: 'other-people',
  async run(stage) {
    if (!stage.site) return;
    const routes = stage.routes.filter(({ role }) => role !== undefined);
    await checkRoutes(
      stage,
      'other-people',
      routes,
      (route) => checkRoute(route, stage),
      inSequence,
    );
  },
};

async function checkRoute(route: RouteUnderProof, stage: Stage): Promise<void> {
  const { report, seeded, site } = stage;
  const [member] = seeded;
  const { reads, writes } = formsOf(route, stage);
  for (const request of [...reads, ...writes]) {
    const before = site?.store?.snapshot();
    const { status } = await stage.send(member, request);
    const at = `${request.method ?? 'GET'} ${request.path}, which needs the role ${route.role ?? ''}, returned ${status} to a member without it`;
    // 405: it takes no such request from anybody. 404: a resource route has no `.data` address.
    if (![403, 404, 405].includes(status)) {
      report.find('other-people/role-not-refused', route, `${at}.`);
    }
    if (!before || !site?.store) continue;
    const [table] = changedTables(before, site.store.snapshot(), site.passingTables);
    if (table === undefined) continue;
    report.find(
      'other-people/role-not-refused',
      route,
      `${at}, and changed rows in table ${table}.`,
    );
  }
}
