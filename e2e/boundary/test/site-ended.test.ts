/** A site that ends while it is proven: that is what is told, and not all that it does not answer any more. */
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { printShop } from '../../harness/test/print-shop';
import { readListedRoutes } from '../inventory/listed-routes';
import { prove } from '../prove';

test.each([
  ['in a timer', '/throws-later'],
  ['in a promise that nobody waits for', '/rejects-later'],
  ['of an event that nobody listens for', '/emits-error'],
])(
  'a site that is ended by an error %s is told by that error alone',
  async (_, path) => {
    const list = fileURLToPath(new URL('control-site.json', import.meta.url));
    const { inventory, start } = await readListedRoutes(list);
    const [home] = inventory.routes;
    if (!home) throw new Error('The list is empty.');
    const { findings } = await prove({
      definition: { platform: printShop },
      inventory: { ...inventory, routes: [home, { ...home, id: path, path }] },
      start: { entry: start?.[0] ?? '' },
      answerWithin: 10_000,
      crowdSize: 4,
    });
    expect(findings).toEqual([
      {
        code: 'trouble/site-ended',
        route: '*',
        file: null,
        message: expect.stringMatching(/^The site ended \(1\).*Nobody catches this/) as string,
      },
    ]);
  },
  120_000,
);
