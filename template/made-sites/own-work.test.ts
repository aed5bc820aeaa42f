/**
 * Adding a platform operation, a page that uses it and a flow requires edits only in folders that the site owns.
 * What the site's tests say of it: own-work.release.ts.
 */
import { expect, onTestFinished, test } from 'vitest';
import { siteWithBoards } from './boards';

/** The row "yours" of the table in docs/architecture.md. */
const yours = /^(app\/|e2e\/(flows|platform)\/|e2e\/site\.ts$|public\/|[^/]+$)/;

test('a new operation, its page and its flow change only files that the site owns, and compile', async () => {
  const site = await siteWithBoards();
  onTestFinished(site.remove);
  const touched = (await site.run('git', 'diff', '--name-only', 'HEAD')).trim().split('\n');
  expect(touched).toContain('e2e/flows/boards.spec.ts');
  expect(touched.filter((file) => !yours.test(file))).toEqual([]);
  await site.run('npm', 'run', 'typecheck');
}, 300_000);
