/** Proves a site of another framework setup, from a list of its routes. */
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { printShop } from '@gatehouse/simulator/test/print-shop';
import { readListedRoutes } from '../src/inventory/listed-routes.ts';
import { prove } from '../src/prove.ts';

/** What Remix does by itself: a cross-site post is an error page whose loaders run, and its error responses are cacheable. */
const remixAlone = ['kept/cacheable', 'other-sites/accepted', 'other-sites/call'];

test('a plain Remix site under remix-serve violates only the rules that Remix does not enforce', async () => {
  const list = fileURLToPath(new URL('plain-remix.json', import.meta.url));
  const { inventory, start } = await readListedRoutes(list);
  const [server = '', build = ''] = start ?? [];
  const { findings, outcomes } = await prove({
    definition: { platform: printShop },
    inventory,
    start: { nodeArguments: [server], entry: build },
    crowdSize: 40,
  });
  expect([...new Set(findings.map(({ code }) => code))].sort()).toEqual(remixAlone);
  const seen = outcomes.map(({ route, results }) => [route, results.trouble.is]);
  expect(seen).toEqual([
    ['/', 'not-observed'],
    ['/prints', 'not-observed'],
    ['/api/prints/:id', 'proven'],
  ]);
}, 300_000);

test.each([
  ['missing', 'nowhere.json', /^There is no list of routes at /],
  ['not JSON', 'plain-remix.mjs', /is not valid JSON\.$/],
])('a list that is %s is an error in one sentence', async (_, name, sentence) => {
  const file = fileURLToPath(new URL(name, import.meta.url));
  await expect(readListedRoutes(file)).rejects.toThrow(sentence);
});
