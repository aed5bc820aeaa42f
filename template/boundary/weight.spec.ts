/** The size of the scripts that a visitor downloads before the home page works, and before the studio does. */
import { gzipSync } from 'node:zlib';
import { expect, test } from '../../e2e/fixtures';
import { httpVisitor, type HttpVisitor } from '@gatehouse/simulator/http';

test('the scripts of the home page are at most 95 kB, gzipped', async ({ platform }) => {
  const visitor = httpVisitor(platform, null);
  const scripts = await scriptsOf(visitor, '/');
  expect(scripts.size).toBeGreaterThan(3);
  const total = await weightOf(visitor, scripts);
  expect(total).toBeGreaterThan(50_000);
  expect(total).toBeLessThanOrEqual(95_000);
});

test('the studio adds at most 45 kB of scripts to those of the home page, gzipped', async ({
  platform,
}) => {
  const visitor = httpVisitor(platform, 'ada');
  const home = await scriptsOf(visitor, '/');
  const own = [...(await scriptsOf(visitor, '/studio'))].filter((script) => !home.has(script));
  const total = await weightOf(visitor, own);
  expect(total).toBeGreaterThan(10_000);
  expect(total).toBeLessThanOrEqual(45_000);
});

async function scriptsOf(visitor: HttpVisitor, path: string): Promise<Set<string>> {
  const page = await visitor.get(path);
  return new Set(page.text.match(/\/assets\/[\w.-]+\.js/g));
}

async function weightOf(visitor: HttpVisitor, scripts: Iterable<string>): Promise<number> {
  const weights = await Promise.all(
    [...scripts].map(async (script) => gzipSync((await visitor.get(script)).bytes).length),
  );
  return weights.reduce((sum, weight) => sum + weight, 0);
}
