/** Copied alone to an empty place, the folder installs, compiles, lints, tests, packs, and runs from its package. */
import { mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, inject, onTestFinished, test } from 'vitest';
import { readPackageManifest } from '../../scripts/shipping/manifest.ts';
import { run } from './copied-folder.ts';
import { answers, overHttp, overStdio } from './installed-program.ts';

const copy = inject('copiedFolder');
const npm = (...args: string[]) => run('npm', args, copy);
const { bin, version } = readPackageManifest();
const [name = ''] = Object.keys(bin);

test('its types, its lint and its formatting are in order', async () => {
  await npm('run', 'typecheck');
  await npm('run', 'lint');
});

test.each([
  [
    'a layer that is crossed',
    "export * from '../adapters/connection.ts';\n",
    'no-restricted-paths',
  ],
  ['an SDK in the core', "export * from '@modelcontextprotocol/sdk/types.js';\n", 'Only adapters'],
  ['a line to stdout', "console.log('here');\n", 'no-console'],
])('its lint tells of %s', async (_, text, told) => {
  const file = path.join(copy, 'src/core/made-up.ts');
  await writeFile(file, text);
  onTestFinished(() => rm(file));
  await expect(run('npx', ['eslint', 'src/core/made-up.ts'], copy)).rejects.toThrow(told);
});

test('its tests pass', async () => {
  expect(await npm('test')).toMatch(/Tests +\d+ passed/);
});

test('its package, installed elsewhere, answers a client over stdio and HTTP [M28 M29]', async () => {
  const elsewhere = path.join(path.dirname(copy), 'installed');
  await mkdir(elsewhere);
  const [{ filename, files } = { filename: '', files: [] }] = JSON.parse(
    await npm('pack', '--json', '--pack-destination', elsewhere),
  ) as { filename: string; files: { path: string }[] }[];
  const packed = files.map((file) => file.path);
  expect(packed).toEqual(expect.arrayContaining(['dist/main.js', 'LICENSE', 'README.md']));
  expect(packed.filter((file) => /^(src|test|\.env)|\.test\./.test(file))).toEqual([]);
  await writeFile(path.join(elsewhere, 'package.json'), '{ "private": true }\n');
  await run('npm', ['install', '--no-save', filename], elsewhere);

  const program = { command: path.join(elsewhere, 'node_modules/.bin', name), args: [] };
  expect(await run(program.command, ['--version'], elsewhere)).toBe(`${version}\n`);
  await answers(await overStdio(program), version);
  await answers((await overHttp(program)).client, version);
});
