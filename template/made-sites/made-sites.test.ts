/** Fast checks of a generated site. `npm run test:auth-modes` runs all its own tests, types and lint among them. */
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { findGaps, type Lockfile } from '../repository/complete-lockfile';
import { followedRecipes } from '../recipes/site-recipes';
import { commit, copyRepository, init, read, wrongInDocuments, type MadeSite } from './made-site';

const args = ['framewise', '--without', 'studio,notes,mcp'];
/** Milliseconds, generous for busy machines. */
const limit = 900_000;
let site: MadeSite;
let files: string[];

beforeAll(async () => {
  site = await copyRepository();
  await init(site, ...args);
  await commit(site, 'Framewise');
  files = (await site.run('git', 'ls-files')).trim().split('\n');
}, limit);
afterAll(() => site.remove());

test('no file that the site owns mentions the template or the samples', async () => {
  const own = files.filter((file) =>
    /^(app\/(?!platform\/|frame\/)|docs\/(?!decisions\/)|e2e\/(flows|platform)\/|e2e\/site\.ts$|public\/|[^/]+$)/.test(
      file,
    ),
  );
  expect(own.length).toBeGreaterThan(50);
  const record = ['package-lock.json', '.gatehouse.json'];
  const named = [];
  for (const file of own) {
    if (record.includes(file)) continue;
    // The packages and their programs keep their names.
    const text = (await read(site, file)).replaceAll(
      /@gatehouse\/|\bgatehouse-\w+|\bgatehouse (?=init|update)|\.gatehouse\.json/g,
      '',
    );
    if (/gatehouse|studio|\/notes\b/i.test(`${file}\n${text}`)) named.push(file);
  }
  expect(named).toEqual([]);
});

/** What it may grow to, tests included. */
const budget = { lines: 3_000, files: 90, linesOfAccounts: 1_700 };

async function sizeOf(made: MadeSite): Promise<{ lines: number; files: number }> {
  const tracked = (await made.run('git', 'ls-files')).trim().split('\n');
  const sources = tracked.filter(
    (file) => /\.([jt]sx?|mjs|css)$/.test(file) && !file.startsWith('vendor/'),
  );
  const texts = await Promise.all(sources.map((file) => read(made, file)));
  const lines = texts.reduce((sum, text) => sum + text.split('\n').length - 1, 0);
  return { lines, files: sources.length };
}

test('its own code stays within its budget', async () => {
  const own = await sizeOf(site);
  expect(own.lines).toBeGreaterThan(1_000);
  expect(own.lines).toBeLessThanOrEqual(budget.lines);
  expect(own.files).toBeLessThanOrEqual(budget.files);
});

test(
  'site accounts add no more code than their budget, and no dependency or export that nothing needs',
  async () => {
    const withAccounts = await copyRepository();
    onTestFinished(withAccounts.remove);
    await init(withAccounts, ...args, '--auth', 'both');
    await commit(withAccounts, 'Framewise');
    const added = (await sizeOf(withAccounts)).lines - (await sizeOf(site)).lines;
    expect(added).toBeGreaterThan(1_000);
    expect(added).toBeLessThanOrEqual(budget.linesOfAccounts);
    await withAccounts.run('npx', 'knip');
  },
  limit,
);

test('the lockfile still has the optional packages of every platform', async () => {
  const lock = JSON.parse(await read(site, 'package-lock.json')) as Lockfile;
  expect(lock.packages['']).toMatchObject({ name: 'framewise' });
  expect(lock.packages).not.toHaveProperty('mcp-server');
  expect(lock.packages).not.toHaveProperty('node_modules/autocannon');
  expect(findGaps(lock)).toEqual([]);
  expect(lock.packages).toHaveProperty(['node_modules/@rollup/rollup-darwin-arm64']);
});

test('a second run of init changes nothing', async () => {
  expect(await init(site, ...args)).toContain('Nothing to do');
  expect(await site.run('git', 'status', '--porcelain')).toBe('');
});

test('its documents name only existing files and scripts, and have no dead links', () => {
  expect(wrongInDocuments(site)).toEqual([]);
});

// Runs last, because it changes the site.
test(
  'the site with every recipe applied passes type checks',
  async () => {
    const followed = await followedRecipes(site.folder);
    for (const [file, code] of followed) {
      await site.write(file, code);
    }
    await site.run('npx', 'tsc', '--noEmit');
  },
  limit,
);
