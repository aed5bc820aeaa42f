/** A slow site is not a slow machine: it gets no more time to respond than other sites. */
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { printShop } from '@gatehouse/simulator/test/print-shop';
import type { Route } from '../src/inventory/route.ts';
import { openStage } from '../src/stage/open-stage.ts';
import { NoResponse } from '../src/stage/stage.ts';

const home: Route = {
  ...{ id: '/', path: '/', file: 'slow-site.mjs', kind: 'page', access: 'none' },
  ...{ isLayout: false, isPublic: false, showsPublished: false },
  loader: { reachesSdk: null },
  action: { reachesSdk: null },
};

test('where pages take 5 s, what hangs is still found within the limit of this machine', async () => {
  const stage = await openStage({
    definition: { platform: printShop },
    inventory: { routes: [home], homeData: null, clientFolders: [] },
    start: { entry: fileURLToPath(new URL('slow-site.mjs', import.meta.url)) },
    longestResponse: 8_000,
  });
  try {
    const [person] = stage.seeded;
    expect(stage.routes[0]?.addresses.get(person)).toEqual(['/']);
    await expect(stage.send(person, { path: '/hangs' })).rejects.toThrow(NoResponse);
    const limit = Math.round(stage.onThisMachine(8_000) / 1_000);
    // 5 s are twenty times what a page takes on an ordinary machine.
    expect(limit).toBeLessThan(64);
    expect(stage.gathered().findings.map(({ message }) => message)).toEqual([
      `GET /hangs got no response within ${limit} s.`,
    ]);
  } finally {
    await stage.close();
  }
}, 120_000);
