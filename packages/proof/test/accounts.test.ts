/** Negative control for site accounts: each violation is reported with its code only. */
import { fileURLToPath } from 'node:url';
import { beforeAll, expect, test } from 'vitest';
import type { SiteAccounts } from '@gatehouse/simulator';
import { printShop } from '@gatehouse/simulator/test/print-shop';
import { readListedRoutes } from '../src/inventory/listed-routes.ts';
import { prove } from '../src/prove.ts';
import type { Gathered } from '../src/stage/report.ts';
import { accounts } from './form-accounts.ts';

async function proveSite(changes: { accounts?: SiteAccounts; paths?: string[] }) {
  const list = fileURLToPath(new URL('accounts-site.json', import.meta.url));
  const { inventory, start } = await readListedRoutes(list);
  const { paths } = changes;
  const routes = inventory.routes.filter(({ path }) => paths?.includes(path) ?? true);
  return prove({
    definition: {
      platform: printShop,
      auth: 'both',
      ...(changes.accounts && { accounts: changes.accounts }),
    },
    inventory: { ...inventory, routes },
    start: { entry: start?.[0] ?? '' },
    crowdSize: 40,
    // Long enough for all requests on a busy machine.
    storeRespondsWithin: 6_000,
  });
}

let proof: Gathered;

beforeAll(async () => {
  proof = await proveSite({ accounts });
}, 300_000);

const codesOf = (route: string) =>
  [
    ...new Set(proof.findings.filter((finding) => finding.route === route).map(({ code }) => code)),
  ].sort();

const correct = ['/', '/sign-up', '/sign-in', '/sign-out', '/prints', '/notes', '/notes/:id'];

test.each([...correct, '/measures', '/with-code', '/close', '/for-both'])(
  '%s has no findings',
  (route) => {
    expect(proof.findings.filter((finding) => finding.route === route)).toEqual([]);
    const results = proof.outcomes.find((outcome) => outcome.route === route)?.results;
    expect(Object.values(results ?? {}).map(({ is }) => is)).not.toContain('broken');
  },
);

test.each<[string, string[]]>([
  ['/acts-first', ['signed-out/store-changed']],
  ['/answers-posts', ['signed-out/account-not-refused']],
  ['/prints-by-account', ['guard-first/account-for-platform']],
  ['/both-by-platform', ['signed-out/account-not-refused']],
  ['/both-by-account', ['guard-first/account-for-platform']],
  ['/shows-token', ['leaks/account-secret']],
  ['/shows-digest', ['leaks/account-secret']],
  ['/shows-hash', ['leaks/account-secret']],
  ['/types-back', ['leaks/account-secret']],
  ['/last-account', ['other-people/own-missing', 'other-people/somebody-else']],
  ['/any-note/:id', ['other-people/row-shown', 'other-people/somebody-else']],
  ['/any-measure/:id', ['other-people/row-shown']],
  ['/any-length/:id', ['other-people/row-shown']],
  ['/any-path/*', ['other-people/row-shown']],
  ['/any-slug/:id', ['other-people/row-shown']],
  ['/after-a-post/:id', ['kept/cacheable']],
  ['/renames-any', ['other-people/row-changed']],
  ['/takes-owner', ['other-people/row-changed']],
  ['/any-removed/:id', ['other-people/row-changed']],
  ['/acts-for-others', ['other-sites/store-changed']],
  ['/breaks-when-held', ['trouble/store-error']],
  ['/waits-for-store', ['trouble/store-no-response']],
  ['/stays-away', ['trouble/store-not-recovered']],
  ['/sets-cookie', ['frame/cookie']],
  ['/account-kept', ['kept/cacheable']],
  ['*', ['leaks/log-line']],
])('%s is reported as %j [W15 W19 W29]', (route, codes) => {
  expect(codesOf(route)).toEqual(codes);
});

test.each([
  ['/logs-email', 'the e-mail address of a site account'],
  ['/logs-token', 'the token of a session'],
])('the log line of %s is reported with the kind of secret: %s [W33]', (_, what) => {
  const messages = proof.findings.map(({ message }) => message);
  expect(messages).toContainEqual(
    expect.stringMatching(new RegExp(`^The site’s log contains ${what}`)),
  );
});

test('a form that was never accepted is not observed, and what its fields declare is enough for others', () => {
  const unobserved = proof.outcomes.flatMap(({ route, results }) => {
    const result = results['other-people'];
    return result.is === 'not-observed' ? [[route, result.why]] : [];
  });
  const why =
    'the site never accepted POST /with-code with code (422), so what it leads to is not proven: add such a request to `requests` in e2e/site.ts';
  expect(unobserved).toEqual([['/with-code', why]]);
});

test('a route that needs an account is reported if the proof cannot create one', async () => {
  const { findings } = await proveSite({ paths: ['/', '/notes'] });
  expect(findings.map(({ code, route }) => [code, route])).toEqual([
    ['signed-out/no-account', '/notes'],
  ]);
}, 120_000);

test('a failing sign-up aborts the proof with one sentence', async () => {
  const refusing: SiteAccounts = {
    ...accounts,
    signUp: () => Promise.reject(new Error('/sign-up returned 422.')),
  };
  await expect(proveSite({ accounts: refusing, paths: ['/'] })).rejects.toThrow(
    '`accounts` in e2e/site.ts could not create an account: /sign-up returned 422.',
  );
}, 60_000);
