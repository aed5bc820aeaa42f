/** A site of another make is proven by its list of routes. */
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { printShop } from '../../harness/test/print-shop';
import { readListedRoutes } from '../inventory/listed-routes';
import { prove } from '../prove';

/** What Remix answers by itself: another site's post is an error that runs loaders, and refusals may be kept. */
const remixAlone = ['kept/cacheable', 'other-sites/accepted', 'other-sites/call'];

test('a plain Remix site under remix-serve is told what Remix alone does not keep, and nothing else', async () => {
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
  ['no file', 'nowhere.json', /^There is no list of routes at /],
  ['no JSON', 'plain-remix.mjs', /is no JSON\.$/],
])('a list that is %s is refused in one sentence', async (_, name, sentence) => {
  const file = fileURLToPath(new URL(name, import.meta.url));
  await expect(readListedRoutes(file)).rejects.toThrow(sentence);
});
