/** Copied to an empty place, the folder installs, compiles, lints, tests, packs, and runs from its package. */
import { cp, rm, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, inject, onTestFinished, test } from 'vitest';
import { readPackageManifest } from '../../../packages/mcp/scripts/shipping/manifest.ts';
import { run } from './copied-folder.ts';
import { expectResponses, installPackage, overHttp, overStdio } from './installed-program.ts';

const copy = inject('copiedFolder');
const npm = (...args: string[]) => run('npm', args, copy);
const { version } = readPackageManifest(copy);

test('it passes the type check, lint and the formatting check', async () => {
  await npm('run', 'typecheck');
  await npm('run', 'lint');
});

test.each([
  ['an SDK', "export * from '@modelcontextprotocol/sdk/types.js';\n", 'Only adapters'],
  ['a line to stdout', "console.log('here');\n", 'Do not print'],
])('its lint reports %s in a service', async (_, text, expected) => {
  const file = path.join(copy, 'src/services/made-up.ts');
  await writeFile(file, text);
  onTestFinished(() => rm(file));
  await expect(run('npx', ['eslint', 'src/services/made-up.ts'], copy)).rejects.toThrow(expected);
});

test('its tests pass', async () => {
  expect(await npm('test')).toMatch(/Tests +\d+ passed/);
});

test('its package, installed elsewhere, answers a client over stdio and HTTP [M28 M29]', async () => {
  const { program, packed } = await installPackage(copy);
  expect(packed).toEqual(expect.arrayContaining(['dist/main.js', 'LICENSE', 'README.md']));
  expect(packed.filter((file) => /^(src|test|\.env)|\.test\./.test(file))).toEqual([]);
  expect(await run(program, ['--version'], copy)).toBe(`${version}\n`);
  const command = { command: program, args: [] };
  await expectResponses(await overStdio(command), version);
  await expectResponses((await overHttp(command)).client, version);
});

test('with a service of its own, its types, lint and tests pass', async () => {
  const own = path.join(path.dirname(copy), 'with-service');
  await cp(copy, own, {
    recursive: true,
    filter: (file) => !/^(node_modules|dist)$/.test(path.basename(file)),
  });
  await symlink(path.join(copy, 'node_modules'), path.join(own, 'node_modules'));
  await run('npm', ['run', 'new', '--', 'acme_crm'], own);
  await run('npm', ['run', 'typecheck'], own);
  await run('npm', ['run', 'lint'], own);
  expect(await run('npm', ['test'], own)).toMatch(/Tests +\d+ passed/);
});
