/** Whoever follows a recipe is told of no mistake. */
import { expect, test } from 'vitest';
import { toldOf } from '../../packages/eslint-plugin/test/told';
import { files } from './site-recipes';

const routes = files.filter(({ title = '' }) => title.startsWith('app/routes/'));

test.each(routes)('nothing is told of $title', async ({ code }) => {
  expect(await toldOf(code)).toEqual([]);
});

test('a recipe without its guard would be told of', async () => {
  const [history] = routes.filter(({ title }) => title === 'app/routes/history.tsx');
  const without = history?.code.replace(/const guard = .*;/, "const guard = JSON.parse('{}');");
  expect(await toldOf(without ?? '')).not.toEqual([]);
});
