/**
 * Routes whose handle names a role refuse a plain member, who has a site account and no role, in every kind of request, and no row
 * changes. Requests run one at a time, because a changed row does not show which request changed it.
 */
import type { Person } from '../../people/people.ts';
import type { RouteUnderProof, Stage } from '../../stage/stage.ts';
import { changedTables, withoutFile } from '../../stage/store.ts';
import { checkRoutes, inSequence, type Check } from '../check.ts';
import { formsOf } from '../request-forms.ts';
import { isNoAddress } from './strangers.ts';

export const roles: Check = {
  name: 'other-people',
  async run(stage) {
    const [holder, { account: member }] = stage.seeded;
    const routes = stage.routes.filter(({ role, isLayout }) => role !== undefined && !isLayout);
    if (!stage.site || !member || routes.length === 0) return;
    // A write of an earlier check may have ended the session, and a signed-out visitor is sent to sign-in.
    await stage.site.accounts.renew(member);
    for (const route of routes.filter((one) => lacksRole(one, holder))) {
      const why = `no test user could be given the role ${route.role ?? ''}: ${withoutRoles}`;
      stage.report.notObserved('other-people', route, why);
    }
    const check = (route: RouteUnderProof) => checkRoute(route, stage);
    await checkRoutes(stage, 'other-people', routes, check, inSequence);
  },
};

const withoutRoles = 'the site has no table account_role in a SQLite file that the proof can write';

/** Whether the route needs a role that the person does not have. */
export function lacksRole({ role }: RouteUnderProof, { account }: Person): boolean {
  return role !== undefined && account?.roles?.has(role) !== true;
}

async function checkRoute(route: RouteUnderProof, stage: Stage): Promise<void> {
  const { report, site } = stage;
  const [, member] = stage.seeded;
  const { reads, writes } = formsOf(route, stage);
  if (!site?.store) report.notObserved('other-people', route, withoutFile);
  for (const request of [...reads, ...writes]) {
    const before = site?.store?.snapshot();
    const response = await stage.send(member, request);
    const { status } = response;
    const at = `${request.method ?? 'GET'} ${request.path}, which needs the role ${route.role ?? ''}, returned ${status} to a member without it`;
    // 405: it takes no such request from anybody. A 404 would be of a handler that has looked for a row.
    if (status !== 403 && status !== 405 && !isNoAddress(route, request, response)) {
      report.find('other-people/role-not-refused', route, `${at}.`);
    }
    if (!before || !site?.store) continue;
    const [table] = changedTables(before, site.store.snapshot(), site.passingTables);
    if (table === undefined) continue;
    const message = `${at}, and changed rows in table ${table}.`;
    report.find('other-people/role-not-refused', route, message);
  }
}
