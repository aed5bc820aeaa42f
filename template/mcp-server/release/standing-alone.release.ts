/** Copied to an empty place, the folder installs, compiles, tests, packs, and runs from its package. */
import { cp, symlink } from 'node:fs/promises';
import path from 'node:path';
import { expect, inject, test } from 'vitest';
import { readPackageManifest } from '../../../packages/mcp/scripts/shipping/manifest.ts';
import { run } from './copied-folder.ts';
import { expectResponses, installPackage, overHttp, overStdio } from './installed-program.ts';

const copy = inject('copiedFolder');
const npm = (...args: string[]) => run('npm', args, copy);
const { version } = readPackageManifest(copy);

test('it passes the type check', () => npm('run', 'typecheck'));

test('its tests pass', async () => {
  expect(await npm('test')).toMatch(/Tests +\d+ passed/);
});

test('its package, installed elsewhere, answers a client over stdio and HTTP [M28 M29]', async () => {
  const { program, packed } = await installPackage(copy);
  expect(packed).toEqual(expect.arrayContaining(['dist/main.js', 'README.md']));
  expect(packed.filter((file) => /^(tools|ship|\.env)|\.test\./.test(file))).toEqual([]);
  expect(await run(program, ['--version'], copy)).toBe(`${version}\n`);
  const command = { command: program, args: [] };
  await expectResponses(await overStdio(command), version);
  await expectResponses((await overHttp(command)).client, version);
});

test('with a service of its own, its types and tests pass', async () => {
  const own = path.join(path.dirname(copy), 'with-service');
  await cp(copy, own, {
    recursive: true,
    filter: (file) => !/^(node_modules|dist)$/.test(path.basename(file)),
  });
  await symlink(path.join(copy, 'node_modules'), path.join(own, 'node_modules'));
  await run('npx', ['gatehouse-mcp', 'new', 'acme_crm'], own);
  await run('npm', ['run', 'typecheck'], own);
  expect(await run('npm', ['test'], own)).toMatch(/Tests +\d+ passed/);
});
