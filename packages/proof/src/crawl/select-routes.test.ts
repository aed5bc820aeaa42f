/** Which routes `--routes` selects. */
import { expect, test } from 'vitest';
import type { Inventory } from '../inventory/route.ts';
import { selectRoutes } from './select-routes.ts';

const paths = ['/', '/prints', '/prints/:id', '/prints-of-others', '/account', '/*'];
const inventory: Inventory = {
  routes: paths.map((path) => ({
    ...{ id: path, path, file: 'site.mjs', kind: 'page' as const, access: 'none' as const },
    ...{ isLayout: false, isPublic: false, showsPublished: false, loader: null, action: null },
  })),
  homeData: null,
  clientFolders: [],
};

test.each<[string[], string[]]>([
  [[], paths],
  [['/'], ['/']],
  [['//'], ['/']],
  [
    ['/', '/account'],
    ['/', '/account'],
  ],
  [['/prints'], ['/prints', '/prints/:id']],
  [['/prints/'], ['/prints', '/prints/:id']],
  [['prints'], ['/prints', '/prints/:id']],
  [['/prints/:id'], ['/prints/:id']],
  [['/prints/7?page=2'], ['/prints/:id']],
  [
    ['/account', '/prints/:id'],
    ['/prints/:id', '/account'],
  ],
])('--routes %j selects %j', (wanted, expected) => {
  const selected = selectRoutes(inventory, wanted);
  expect([...selected].map(({ path }) => path).sort()).toEqual(expected.toSorted());
});

test.each(['/nowhere', '/pri'])('%j selects no route: an error', (path) => {
  // A path that does select routes must not hide one that does not.
  expect(() => selectRoutes(inventory, ['/prints', path])).toThrow(
    `--routes ${path} selects no route. Give the path of a route, to select it and the routes below it, or / for the home page alone: /, /prints, /prints/:id, /prints-of-others, /account, /*.`,
  );
});
