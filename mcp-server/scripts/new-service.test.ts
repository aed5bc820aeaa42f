/** `npm run mcp:new` on a copy of this workspace: what it makes compiles, and its tests pass. */
import { execFile } from 'node:child_process';
import { cp, mkdtemp, readdir, readFile, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { faultOfNames } from './service-name.ts';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

const workspace = fileURLToPath(new URL('..', import.meta.url));
const run = promisify(execFile);
let root = '';
let copy = '';
let said = '';

beforeAll(async () => {
  root = await realpath(await mkdtemp(path.join(tmpdir(), 'new-service-')));
  copy = path.join(root, 'mcp-server');
  for (const part of ['src', 'test', 'example-service', 'scripts', 'package.json']) {
    await cp(path.join(workspace, part), path.join(copy, part), { recursive: true });
  }
  await cp(path.join(workspace, '../.prettierrc.json'), path.join(root, '.prettierrc.json'));
  // As installed: what the workspace has for itself, and what it shares.
  for (const folder of ['.', '..']) {
    const modules = path.join(workspace, folder, 'node_modules');
    await symlink(modules, path.join(copy, folder, 'node_modules')).catch(() => undefined);
  }
  await writeFile(
    path.join(copy, 'tsconfig.json'),
    (await readFile(path.join(workspace, 'tsconfig.json'), 'utf8')).replace(
      '"include": ["."]',
      '"include": ["src/acme_crm", "src/main.ts"]',
    ),
  );
  await writeFile(
    path.join(copy, 'vitest.config.ts'),
    `export default { test: { setupFiles: ['test/console-guard.ts'] } };\n`,
  );
  said = (await newService('acme_crm')).stdout;
});
afterAll(() => rm(root, { recursive: true, force: true }));

function newService(...names: string[]) {
  return run(process.execPath, ['--import', 'tsx', 'scripts/new-service.ts', ...names], {
    cwd: copy,
  });
}

const read = (file: string) => readFile(path.join(copy, file), 'utf8');

test('what it makes compiles, in the place of the example too, and its tests pass', async () => {
  const main = (await read('src/main.ts'))
    .replaceAll('./example/', './acme_crm/')
    .replaceAll('Example', 'AcmeCrm')
    .replaceAll('exampleSettings', 'acmeCrmSettings');
  expect(main).toContain("'./acme_crm/service.ts'");
  await writeFile(path.join(copy, 'src/main.ts'), main);
  const modules = path.join(workspace, '../node_modules');
  const [, tests] = await Promise.all([
    run(process.execPath, [path.join(modules, 'typescript/bin/tsc'), '--noEmit'], { cwd: copy }),
    run(process.execPath, [path.join(modules, 'vitest/vitest.mjs'), 'run', 'src/acme_crm'], {
      cwd: copy,
      env: { PATH: process.env['PATH'], NO_COLOR: '1', CI: '1' },
    }),
  ]);
  expect(tests.stdout).toMatch(/Tests +\d{2,} passed \(/);
});

test('nothing of the example is left in it, but the service that both ask', async () => {
  const made = path.join(copy, 'src/acme_crm');
  const files = await readdir(made, { recursive: true, withFileTypes: true });
  const names = files.filter((one) => one.isFile());
  expect(names.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['acme-crm-double.ts', 'acme_crm_search_users.json']),
  );
  expect(names).toHaveLength(
    (
      await readdir(path.join(copy, 'src/example'), { recursive: true, withFileTypes: true })
    ).filter((one) => one.isFile()).length,
  );
  const texts = await Promise.all(
    names.map(({ name, parentPath }) => readFile(path.join(parentPath, name), 'utf8')),
  );
  const lines = texts.join('').split('\n');
  expect(lines).toContain("    name: 'acme_crm_mcp',");
  expect(lines).toContain("    credentialVariable: 'ACME_CRM_API_TOKEN',");
  const kept =
    /startExampleService|ExampleServiceOptions|example-service|example-development-token|example\.com|\bexamples\b|Examples:/g;
  // Nor a rule of the template's: docs/contract.md knows the tests that cite one.
  const left = lines.filter((line) => /example|\[M\d/i.test(line.replaceAll(kept, '')));
  expect(left).toEqual([]);
});

test('it says what comes next', async () => {
  for (const words of [
    "createAcmeCrmService from './acme_crm/service.ts'",
    "acmeCrmSettings from './acme_crm/settings.ts'",
    'ACME_CRM_API_BASE_URL',
  ]) {
    expect(said).toContain(words);
  }
  const made = (await read('src/acme_crm/service.ts')) + (await read('src/acme_crm/settings.ts'));
  expect(made).toMatch(/export function createAcmeCrmService\b/);
  expect(made).toMatch(/export const acmeCrmSettings\b/);
});

test('a bad name is refused in one sentence, and nothing is made', async () => {
  const before = await readdir(path.join(copy, 'src'));
  const failure = await newService('Acme').catch((error: unknown) => error);
  expect(failure).toMatchObject({ code: 1, stdout: '' });
  expect((failure as { stderr: string }).stderr).toMatch(
    /^A service's name is .*"Acme" is not\.\n$/,
  );
  expect(await readdir(path.join(copy, 'src'))).toEqual(before);
});

test.each([
  [[], /^Give one name/],
  [['one', 'two'], /^Give one name/],
  [['acme-crm'], /is not\.$/],
  [['../acme'], /is not\.$/],
  [['acme__crm'], /is not\.$/],
  [['acme_v2'], /without version or date/],
  [['acme_2026'], /without version or date/],
  [['acme_mcp'], /^Leave the _mcp/],
  [['a'.repeat(31)], /30 characters/],
  [['core'], /already/],
  [['adapters'], /already/],
  [['transports'], /already/],
  [['example'], /already/],
])('%j is no name for a service [M01 M35]', (names, sentence) => {
  expect(faultOfNames(names, path.join(workspace, 'src'))).toMatch(sentence);
});

test.each(['acme', 'acme_crm', 's3', 'a'.repeat(30)])('%s is a name for one', (name) => {
  expect(faultOfNames([name], path.join(workspace, 'src'))).toBeUndefined();
});
