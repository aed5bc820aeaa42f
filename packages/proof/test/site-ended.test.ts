/** A site that crashes during the proof: the crash is reported, and not the failed requests after it. */
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { printShop } from '@gatehouse/simulator/test/print-shop';
import { readListedRoutes } from '../src/inventory/listed-routes.ts';
import { prove } from '../src/prove.ts';

test.each([
  ['in a timer', '/throws-later'],
  ['in a promise that is not awaited', '/rejects-later'],
  ['event without a listener', '/emits-error'],
])(
  'a site that an uncaught error %s crashes has that error as its only finding',
  async (_, path) => {
    const list = fileURLToPath(new URL('control-site.json', import.meta.url));
    const { inventory, start } = await readListedRoutes(list);
    const [home] = inventory.routes;
    if (!home) throw new Error('The list is empty.');
    const { findings } = await prove({
      definition: { platform: printShop },
      inventory: { ...inventory, routes: [home, { ...home, id: path, path }] },
      start: { entry: start?.[0] ?? '' },
      respondWithin: 10_000,
      crowdSize: 4,
    });
    expect(findings).toEqual([
      {
        code: 'trouble/site-ended',
        route: '*',
        file: null,
        message: expect.stringMatching(
          /^The site’s process exited \(1\).*Uncaught on purpose/,
        ) as string,
      },
    ]);
  },
  120_000,
);
