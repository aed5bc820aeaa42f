/** A site made by `npm run init` passes the tests that its owner will run. */
import { expect, onTestFinished, test } from 'vitest';
import { followedRecipes } from '../recipes/site-recipes';
import { copyRepository, init } from './made-site';

test('a site without samples: all of npm test', async () => {
  const site = await made({ args: ['framewise', '--without', 'studio,mcp'] });
  expect(await site.run('npm', 'test')).toMatch(/\d+ passed/);
});

test.each([
  ['with all samples, and another name', { args: ['@acme/story-board'] }],
  ['without the MCP server', { args: ['framewise', '--without', 'mcp'] }],
  ['without the studio', { args: ['quietly', '--without', 'studio'] }],
  ['without git', { args: ['framewise', '--without', 'studio,mcp'], history: false }],
])('a site %s: types, lint and unit tests', async (_, options) => {
  const site = await made(options);
  await site.run('npm', 'run', 'typecheck');
  await site.run('npm', 'run', 'lint');
  await site.run('npm', 'run', 'test:unit');
});

test('a site with every recipe followed: all existing tests still pass', async () => {
  const site = await made({ args: ['framewise', '--without', 'studio,mcp'] });
  for (const [file, code] of await followedRecipes(site.folder)) {
    await site.write(file, code);
  }
  await site.run('npm', 'run', 'test:unit');
});

async function made({ args, history = true }: { args: string[]; history?: boolean }) {
  const site = await copyRepository({ history });
  onTestFinished(site.remove);
  await init(site, ...args);
  return site;
}
