/**
 * Object-level authorization of site accounts: another person requests the addresses that the owner found, and submits
 * the ids in the owner's forms, with every method. The response must not show the owner's rows, and they must not
 * change. Requests run one at a time, because a changed row does not show which request changed it.
 */
import { generatePath } from '@remix-run/router';
import { parametersOf, routeOf } from '../../crawl/match.ts';
import type { Person } from '../../people/people.ts';
import type { SiteRequest } from '../../people/site-request.ts';
import type { RouteUnderProof, Stage } from '../../stage/stage.ts';
import { changedTables, rowsOf, withoutFile, type Snapshot } from '../../stage/store.ts';
import { checkRoutes, inSequence, type Check } from '../check.ts';
import { foreignRequests, ownValues } from './foreign-requests.ts';
import { bareForm, postsOf, readsOf } from '../request-forms.ts';
import { needsAccount } from './strangers.ts';

export const accountRows: Check = {
  name: 'other-people',
  async run(stage) {
    const [owner, other] = stage.seeded;
    const { site } = stage;
    const { account } = other;
    if (!site || !owner.account || !account) return;
    const renew = () => site.accounts.renew(account);
    const routes = stage.routes.filter((route) => needsAccount(route) && !route.isLayout);
    if (!site.store) {
      for (const route of routes) stage.report.notObserved('other-people', route, withoutFile);
    }
    const [witness] = routes.flatMap((route) => route.addresses.get(other) ?? []);
    const values = ownValues(routes, owner, other);
    const checkRoute = async (route: RouteUnderProof) => {
      // A write may have ended the session, and a signed-out visitor is refused everything.
      if (witness !== undefined && (await stage.send(other, { path: witness })).status >= 300)
        await renew();
      const theirs = ownAddresses(route, owner, other);
      for (const path of theirs) await read(stage, route, path);
      const writes = [
        ...theirs.flatMap((path) => unsafe.map((method) => bareForm(path, method))),
        ...foreignRequests(route, owner, other, values),
      ];
      const { inventory } = stage;
      for (const write of writes.flatMap((request) => postsOf(request, route, inventory)))
        await change(stage, route, write);
    };
    await checkRoutes(stage, 'other-people', routes, checkRoute, inSequence);
  },
};

const unsafe = ['POST', 'PUT', 'PATCH', 'DELETE'];

/** The addresses that only the owner found. */
function ownAddresses(route: RouteUnderProof, owner: Person, other: Person): string[] {
  const known = new Set(route.addresses.get(other));
  return (route.addresses.get(owner) ?? []).filter((path) => !known.has(path));
}

/** Reports success itself; `stage/listen.ts` reports the owner's data in a response. */
async function read(stage: Stage, route: RouteUnderProof, path: string): Promise<void> {
  const [, other] = stage.seeded;
  const nowhere = madeUp(stage, path);
  for (const request of readsOf(path, route, stage.inventory)) {
    const { status, text } = await stage.send(other, request);
    if (status >= 300 || nowhere === null || /"SingleFetchRedirect"/.test(text)) continue;
    const elsewhere = request.path.replace(path.replace(/\?.*/s, ''), nowhere);
    // Some sites respond with 2xx to any id: compare with one that cannot exist.
    if ((await stage.send(other, { ...request, path: elsewhere })).status < 300) continue;
    if (stage.site?.published.isUnknown(route)) {
      stage.report.notObserved('other-people', route, withoutFile);
      continue;
    }
    if (isShared(stage, route, path)) continue;
    const message = `${request.method ?? 'GET'} ${request.path}, which belongs to another account, returned ${status}.`;
    stage.report.find('other-people/row-shown', route, message);
  }
}

/** Whether the owner shows the other person the row that the address names. */
function isShared(
  { site, seeded: [, other] }: Stage,
  route: RouteUnderProof,
  path: string,
): boolean {
  if (!site || !other.account) return false;
  const parameters = Object.values(parametersOf(route, path)).map(decodeURIComponent);
  return site.published.namesShared(route, parameters, other.account);
}

/** An address of the same route with ids that do not exist; null where it has no parameters. */
function madeUp({ inventory }: Stage, path: string): string | null {
  const route = routeOf(inventory, path);
  if (!route) return null;
  const parameters = Object.entries(parametersOf(route, path)).filter(([, value]) => value !== '');
  if (parameters.length === 0) return null;
  return generatePath(
    route.path,
    Object.fromEntries(parameters.map(([name, value]) => [name, madeUpValue(value)])),
  );
}

/** In the same format, so that the site does not refuse it for its format. */
function madeUpValue(value: string): string {
  if (/^\d+$/.test(value)) return '987654321';
  // Percent-escapes are kept as they are.
  const other = value.replaceAll(/%..|[\da-f]/gi, (found) => (found.length > 1 ? found : '0'));
  return other === value ? `${value}-0` : other;
}

async function change(stage: Stage, route: RouteUnderProof, request: SiteRequest): Promise<void> {
  const { seeded, site, report } = stage;
  const [owner, other] = seeded;
  const before = ownedBy(owner, other, site);
  const { status } = await stage.send(other, request);
  const left = ownedBy(owner, other, site);
  const [table] = before && left ? changedTables(before, left, site?.passingTables) : [];
  if (table === undefined) return;
  const message = `${request.method ?? 'POST'} ${request.path} (${status}), sent with the ids of another account, changed its rows in table ${table}.`;
  report.find('other-people/row-changed', route, message);
}

/** The owner's rows, without those that the other person owns as well. */
function ownedBy({ account }: Person, other: Person, site: Stage['site']): Snapshot | null {
  if (!site?.store || !account) return null;
  const rows = rowsOf(site.store.snapshot(), account.mark);
  if (!other.account) return rows;
  const isOfBoth = site.published.ownedTooBy(other.account);
  return new Map(
    [...rows].map(([table, list]) => [table, list.filter((row) => !isOfBoth(table, row))]),
  );
}
