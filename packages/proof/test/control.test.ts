/** Negative control: each violation is reported with its code only, and correct routes have no findings. */
import { fileURLToPath } from 'node:url';
import { beforeAll, expect, test } from 'vitest';
import { printShop } from '@gatehouse/simulator/test/print-shop';
import { readListedRoutes } from '../src/inventory/listed-routes.ts';
import { prove } from '../src/prove.ts';
import type { Gathered } from '../src/stage/report.ts';

let proof: Gathered;

/** Deletes what other routes show, which would slow down the proof of all of them. */
const deletes = '/shelf';

beforeAll(async () => {
  const list = fileURLToPath(new URL('control-site.json', import.meta.url));
  const { inventory, start } = await readListedRoutes(list);
  proof = await prove({
    definition: {
      platform: printShop,
      settings: { WARES: '7' },
      requests: () =>
        ['/again/:id', '/hook', '/broken-hook', '/refuses-always'].map((path) => ({
          method: 'POST',
          path,
        })),
    },
    inventory: { ...inventory, routes: inventory.routes.filter(({ path }) => path !== deletes) },
    start: { entry: start?.[0] ?? '' },
    respondWithin: 10_000,
    longestResponse: 30_000,
    crowdSize: 40,
  });
}, 300_000);

const codesOf = (route: string) =>
  [
    ...new Set(proof.findings.filter((finding) => finding.route === route).map(({ code }) => code)),
  ].sort();

const correct = ['/', '/prints', '/api/prints/:id', '/api/news', '/again/:id', '/hook'];

test.each([...correct, '/settings', '/configured'])('%s has no findings', (route) => {
  expect(proof.findings.filter((finding) => finding.route === route)).toEqual([]);
  const results = proof.outcomes.find((outcome) => outcome.route === route)?.results;
  expect(Object.values(results ?? {}).map(({ is }) => is)).not.toContain('broken');
});

test.each<[string, string[]]>([
  ['/any-account', ['signed-out/account-not-refused']],
  ['/wrong-account', ['signed-out/account-not-refused']],
  ['/empty', ['signed-out/no-address']],
  ['/no-guard', ['guard-first/unguarded-call', 'signed-out/sdk-call']],
  ['/guard-beside', ['guard-first/unguarded-call', 'signed-out/sdk-call']],
  ['/broken', ['signed-out/always-fails', 'signed-out/server-error']],
  ['/late', ['guard-first/late-call']],
  ['/body-first', ['guard-first/body-first']],
  ['/with-token', ['guard-first/rule-broken']],
  ['/answers-anyway', ['signed-out/not-refused']],
  ['/asks-nobody', ['signed-out/not-refused']],
  ['/takes-from-anybody', ['signed-out/not-refused']],
  ['/writes-on-get', ['other-sites/read-writes']],
  ['/near-origin', ['other-sites/accepted', 'other-sites/call']],
  ['/breaks', ['signed-out/server-error']],
  ['/cut-off', ['trouble/no-response']],
  ['/never-answers', ['trouble/no-response']],
  ['/whole-profile', ['leaks/profile-field']],
  ['/upstream-words', ['leaks/upstream-text']],
  ['/address', ['leaks/internal-address']],
  ['/last-visitor', ['other-people/somebody-else']],
  ['/last-visitor-in-capitals', ['other-people/somebody-else']],
  ['/stack-trace', ['leaks/stack-trace']],
  ['/cached-file/:id', ['other-people/same-file']],
  ['/kept', ['kept/cacheable']],
  ['/public', ['kept/public-differs']],
  ['/public-by-language', ['kept/public-differs']],
  ['/public-with-nonce', ['kept/public-differs']],
  ['/public-unkept', ['kept/not-public']],
  ['/public-cookie', ['kept/cacheable']],
  ['/fails', ['trouble/server-error']],
  ['/blank', ['trouble/blank']],
  ['/waits', ['trouble/no-response']],
  ['/never-again', ['trouble/not-recovered']],
  ['/kept-promise', ['trouble/not-recovered']],
  ['/never-found', ['trouble/not-recovered']],
  ['/broken-hook', ['signed-out/server-error']],
  ['/refuses-always', ['signed-out/server-error']],
  ['/anybody', ['other-sites/accepted', 'other-sites/call']],
  ['/cookie', ['frame/platform-cookie']],
  ['/nobody-leads-here/:id', ['signed-out/no-address']],
  ['*', ['leaks/log-line']],
])('%s is reported as %j', (route, codes) => {
  expect(codesOf(route)).toEqual(codes);
});

test('a form that deletes what other requests are about causes no finding, a cached 404 does', async () => {
  const list = fileURLToPath(new URL('control-site.json', import.meta.url));
  const { inventory, start } = await readListedRoutes(list);
  const routes = ['/prints', '/api/prints/:id', deletes, '/never-found'];
  const { findings } = await prove({
    definition: { platform: printShop },
    inventory: {
      ...inventory,
      routes: inventory.routes.filter(({ path }) => routes.includes(path)),
    },
    start: { entry: start?.[0] ?? '' },
    respondWithin: 10_000,
    crowdSize: 4,
  });
  const found = new Set(findings.map(({ route, code }) => `${route} ${code}`));
  expect([...found]).toEqual(['/never-found trouble/not-recovered']);
}, 120_000);

test('in auth mode in-app every platform call is reported, whatever the guard said [W29]', async () => {
  const list = fileURLToPath(new URL('control-site.json', import.meta.url));
  const { inventory, start } = await readListedRoutes(list);
  // Other findings would advise how to call the platform.
  const wrong = ['/no-guard', '/body-first', '/late', '/with-token', '/writes-on-get', '/fails'];
  const { findings, auth } = await prove({
    definition: { platform: printShop, auth: 'in-app' },
    inventory: {
      ...inventory,
      routes: inventory.routes.filter(({ path }) => ['/', '/settings', ...wrong].includes(path)),
    },
    start: { entry: start?.[0] ?? '' },
    crowdSize: 2,
  });
  expect(auth).toBe('in-app');
  const calls = findings.filter(({ code }) => code !== 'signed-out/no-account');
  expect(new Set(calls.map(({ code }) => code))).toEqual(new Set(['guard-first/call-in-app']));
  const routes = calls.map(({ route }) => route);
  expect(routes).toEqual(expect.arrayContaining(['/', '/no-guard', '/late', '/with-token']));
  expect(routes).not.toContain('/settings');
});
