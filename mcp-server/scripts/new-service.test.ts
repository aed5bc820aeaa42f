/** `npm run mcp:new` on a copy of this workspace: what it makes compiles, and its tests pass. */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import {
  cp,
  mkdtemp,
  readdir,
  readFile,
  realpath,
  rename,
  rm,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { faultOfNames } from './service-name.ts';

vi.setConfig({ testTimeout: 180_000 });

const workspace = fileURLToPath(new URL('..', import.meta.url));
const run = promisify(execFile);
const { resolve } = createRequire(import.meta.url);
const template = [
  'adapters',
  'core',
  'services/example',
  'transports',
  'command-line.ts',
  'env.ts',
].map((part) => `src/${part}`);
const documents = ['README.md', '../.env.example'];
let root = '';
let copy = '';
let said = '';

beforeAll(async () => {
  root = await realpath(await mkdtemp(path.join(tmpdir(), 'new-service-')));
  copy = path.join(root, 'mcp-server');
  for (const part of ['test', 'example-service', 'scripts', 'package.json', ...template]) {
    await cp(path.join(workspace, part), path.join(copy, part), { recursive: true });
  }
  // As they were before any other service was made.
  const program = await readFile(path.join(workspace, 'test/programs/example-program.ts'), 'utf8');
  await writeFile(path.join(copy, 'src/main.ts'), program.replaceAll('../../src/', './'));
  for (const file of documents) {
    await writeFile(path.join(copy, file), 'EXAMPLE_API_BASE_URL=\nEXAMPLE_API_TOKEN=\n');
  }
  const style = path.join(workspace, '../.prettierrc.json');
  if (existsSync(style)) await cp(style, path.join(root, '.prettierrc.json'));
  // As installed: what the workspace has for itself, and what it shares.
  for (const folder of ['.', '..']) {
    const modules = path.join(workspace, folder, 'node_modules');
    await symlink(modules, path.join(copy, folder, 'node_modules')).catch(() => undefined);
  }
  await writeFile(
    path.join(copy, 'tsconfig.json'),
    (await readFile(path.join(workspace, 'tsconfig.json'), 'utf8')).replace(
      '"include": ["."]',
      '"include": ["src/services/acme_crm", "src/main.ts"]',
    ),
  );
  await writeFile(
    path.join(copy, 'vitest.config.ts'),
    `export default {
      test: {
        setupFiles: ['test/console-guard.ts'],
        testTimeout: 60_000,
        expect: { poll: { timeout: 20_000 } },
      },
    };\n`,
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

/** @returns what the tests wrote. */
async function compileAndTest(part: string): Promise<string> {
  const vitest = path.join(path.dirname(resolve('vitest/package.json')), 'vitest.mjs');
  const [, tests] = await Promise.all([
    run(process.execPath, [resolve('typescript/bin/tsc'), '--noEmit'], { cwd: copy }),
    run(process.execPath, [vitest, 'run', '--no-isolate', part], {
      cwd: copy,
      env: { PATH: process.env['PATH'], NO_COLOR: '1', CI: '1' },
    }),
  ]);
  return tests.stdout;
}

test('what it makes compiles, in the place of the example too, and its tests pass', async () => {
  expect(await compileAndTest('src/services/acme_crm')).toMatch(/Tests +\d{2,} passed \(/);
});

test('so does it with an address of its own and without the development token, as step 2 says', async () => {
  const file = path.join(copy, 'src/services/acme_crm/settings.ts');
  const made = await readFile(file, 'utf8');
  onTestFinished(() => writeFile(file, made));
  const own = made
    .replace(/^.+\nexport const developmentToken = .+\n\n/m, '')
    .replace(/developmentUrl = .+;/, "serviceUrl = 'https://api.acme.example/v1';")
    .replace('default(developmentUrl)', 'default(serviceUrl)')
    .replace(/^.+development token.+\n +token: .+$/m, '    token,');
  expect(own).not.toMatch(/development|4010/);
  await writeFile(file, own);
  expect(await compileAndTest('src/services/acme_crm/settings.test.ts')).toMatch(
    /Tests +\d{2,} passed \(/,
  );
});

test('the program serves it, and the documents name its settings in place of the example’s', async () => {
  const main = await read('src/main.ts');
  expect(main).toContain("import { createAcmeCrmService } from './services/acme_crm/service.ts';");
  expect(main).toContain("import { acmeCrmSettings } from './services/acme_crm/settings.ts';");
  expect(main).toContain('settings: acmeCrmSettings, createService: createAcmeCrmService');
  for (const file of documents) {
    const lines = (await read(file)).trim().split(/\s+/);
    expect(lines).toEqual(['ACME_CRM_API_BASE_URL=', 'ACME_CRM_API_TOKEN=']);
  }
});

test('another service that is served already stays, and it says how to serve the new one', async () => {
  const files = ['src/main.ts', ...documents];
  const before = await Promise.all(files.map(read));
  const { stdout } = await newService('globex');
  await rm(path.join(copy, 'src/services/globex'), { recursive: true });
  expect(stdout).toContain("import createGlobexService from\n  './services/globex/service.ts'");
  expect(stdout).toContain("globexSettings from './services/globex/settings.ts'");
  expect(await Promise.all(files.map(read))).toEqual(before);
});

test('nothing of the example is left in it, but the service that both ask', async () => {
  const made = path.join(copy, 'src/services/acme_crm');
  const files = await readdir(made, { recursive: true, withFileTypes: true });
  const names = files.filter((one) => one.isFile());
  expect(names.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['acme-crm-double.ts', 'acme_crm_search_users.json']),
  );
  expect(names).toHaveLength(
    (
      await readdir(path.join(copy, 'src/services/example'), {
        recursive: true,
        withFileTypes: true,
      })
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

test('it says what was made, and what comes next', () => {
  expect(said).toContain(
    'Made mcp-server/src/services/acme_crm/. mcp-server/src/main.ts serves it.',
  );
  expect(said).toContain('ACME_CRM_API_…');
  expect(said).toContain('npx vitest run src/services/acme_crm -u');
  expect(said).toContain('mcp-server/README.md and .env.example name its settings');
  expect(said).toContain('npm run mcp:example-service');
});

test('where there is no site, it names no file and no script of one', async () => {
  const [file, away] = ['.env.example', 'away'].map((name) => path.join(root, name));
  await rename(file ?? '', away ?? '');
  onTestFinished(async () => {
    await rename(away ?? '', file ?? '');
    await rm(path.join(copy, 'src/services/initech'), { recursive: true });
  });
  const { stdout } = await newService('initech');
  expect(stdout).toContain('Made src/services/initech/.');
  expect(stdout).not.toMatch(/mcp-server|mcp:|\.env\.example/);
});

test('a bad name is refused in one sentence, and nothing is made', async () => {
  const before = await readdir(path.join(copy, 'src/services'));
  const failure = await newService('Acme').catch((error: unknown) => error);
  expect(failure).toMatchObject({ code: 1, stdout: '' });
  expect((failure as { stderr: string }).stderr).toMatch(
    /^A service's name is .*"Acme" is not\.\n$/,
  );
  expect(await readdir(path.join(copy, 'src/services'))).toEqual(before);
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
  [['example'], /already/],
])('%j is no name for a service [M01 M35]', (names, sentence) => {
  expect(faultOfNames(names, path.join(copy, 'src/services'))).toMatch(sentence);
});

test.each(['acme', 'acme_hr', 's3', 'a'.repeat(30)])('%s is a name for one', (name) => {
  expect(faultOfNames([name], path.join(copy, 'src/services'))).toBeUndefined();
});
