/** The size of the scripts that a visitor downloads before the home page works. */
import { gzipSync } from 'node:zlib';
import { expect, test } from '../../e2e/fixtures';
import { httpVisitor } from '../../e2e/harness/browser/visitor-http';

test('the scripts of the home page are at most 95 kB, gzipped', async ({ platform }) => {
  const visitor = httpVisitor(platform, null);
  const page = await visitor.get('/');
  const scripts = new Set(page.text.match(/\/assets\/[\w.-]+\.js/g));
  expect(scripts.size).toBeGreaterThan(3);
  const weights = await Promise.all(
    [...scripts].map(async (script) => gzipSync((await visitor.get(script)).bytes).length),
  );
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  expect(total).toBeGreaterThan(50_000);
  expect(total).toBeLessThanOrEqual(95_000);
});
