/** A site with a platform operation, a page and a flow of its own passes its lint, its unit tests and the new flow. */
import { expect, onTestFinished, test } from 'vitest';
import { siteWithBoards } from './boards';

test('a new operation, its page and its flow work, and the rest of the site still does', async () => {
  const site = await siteWithBoards();
  onTestFinished(site.remove);
  await site.run('npm', 'run', 'lint');
  await site.run('npm', 'run', 'test:unit');
  await site.run('npm', 'run', 'build');
  const flow = await site.run(
    'npx',
    'playwright',
    'test',
    'boards',
    '--project',
    'blocked-partitioned',
  );
  expect(flow).toMatch(/1 passed/);
});
