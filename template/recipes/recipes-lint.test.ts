/** The code of the recipes has no lint errors. */
import { expect, test } from 'vitest';
import { messagesOf } from '@gatehouse/lint/test/messages';
import { files } from './site-recipes';

const routes = files.filter(({ title = '' }) => title.startsWith('app/routes/'));

test.each(routes)('$title has no lint errors', async ({ code }) => {
  expect(await messagesOf(code)).toEqual([]);
});

test('a recipe without its guard is reported', async () => {
  const [bookmarks] = routes.filter(({ title }) => title === 'app/routes/bookmarks.tsx');
  const without = bookmarks?.code.replace(
    /const \{ sdk \} = .*;/,
    "const { sdk } = JSON.parse('{}');",
  );
  expect(await messagesOf(without ?? '')).not.toEqual([]);
});
