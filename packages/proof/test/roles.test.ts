/**
 * Routes whose handle names a role: one test user has it and sees the page, and the other is refused. Negative controls: a route
 * that asks for no role or for another, an action that asks for none, a 404 in place of the refusal, and a column that no role may see.
 */
import { fileURLToPath } from 'node:url';
import { beforeAll, expect, test } from 'vitest';
import { printShop } from '@gatehouse/simulator/test/print-shop';
import { readListedRoutes } from '../src/inventory/listed-routes.ts';
import { prove } from '../src/prove.ts';
import type { Gathered } from '../src/stage/report.ts';
import { accounts } from './form-accounts.ts';

async function proveSite(env: Record<string, string> = {}, paths?: string[]): Promise<Gathered> {
  const list = fileURLToPath(new URL('roles-site.json', import.meta.url));
  const { inventory, start } = await readListedRoutes(list);
  const routes = inventory.routes.filter(({ path }) => paths?.includes(path) ?? true);
  return prove({
    definition: {
      ...{ platform: printShop, auth: 'in-app', accounts },
      published: [{ table: 'account', columns: ['name'], where: 'true', role: 'admin' }],
    },
    inventory: { ...inventory, routes },
    start: { entry: start?.[0] ?? '', env },
    crowdSize: 40,
    storeRespondsWithin: 6_000,
  });
}

let proof: Gathered;

beforeAll(async () => {
  proof = await proveSite();
}, 300_000);

const codesOf = (route: string) =>
  [
    ...new Set(proof.findings.filter((finding) => finding.route === route).map(({ code }) => code)),
  ].sort();

test.each(['/', '/sign-up', '/sign-in', '/home', '/members', '/members/:id', '*'])(
  '%s has no findings',
  (route) => {
    expect(proof.findings.filter((finding) => finding.route === route)).toEqual([]);
  },
);

test.each<[string, string[]]>([
  ['/open-list', ['other-people/role-not-refused']],
  ['/other-role', ['other-people/role-not-refused']],
  ['/open-form', ['other-people/role-not-refused']],
  ['/no-such-row/:id', ['other-people/role-not-refused']],
  ['/shows-address', ['other-people/not-published']],
])('%s is reported as %j [W19]', (route, codes) => {
  expect(codesOf(route)).toEqual(codes);
});

test('the action that changes rows is named with the table', () => {
  expect(proof.findings.map(({ message }) => message)).toContainEqual(
    expect.stringMatching(/^POST \/open-form, which needs the role admin, .* table notice\.$/),
  );
});

test('the test user with the role sees what others are refused', () => {
  const results = proof.outcomes.find(({ route }) => route === '/members')?.results;
  expect(results).toMatchObject({
    'signed-out': { is: 'proven' },
    'other-people': { is: 'proven' },
  });
  expect(proof.excused).toEqual([
    expect.objectContaining({ table: 'account', routes: ['/members', '/members/:id'] }),
  ]);
});

test('where no test user can be given the role, what the page shows is not observed', async () => {
  const without = await proveSite({ WITHOUT_ROLES: '1' }, [
    ...['/', '/sign-up', '/sign-in', '/home', '/members'],
  ]);
  expect(without.findings).toEqual([]);
  const results = without.outcomes.find(({ route }) => route === '/members')?.results;
  expect(results?.['other-people']).toEqual({
    is: 'not-observed',
    why: 'no test user could be given the role admin: the site has no table account_role in a SQLite file that the proof can write',
  });
}, 300_000);
