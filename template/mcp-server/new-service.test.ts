/**
 * Runs `npm run mcp:new` on a copy of the author's folder: the generated service compiles, passes
 * its tests and is served. Where a service has been made, its documents are those of that service, and the
 * command makes no second one.
 */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, mkdtemp, readdir, readFile, realpath, rename, rm, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { servicesIn } from '../../packages/mcp/src/served-service.ts';

vi.setConfig({ testTimeout: 180_000 });

const workspace = fileURLToPath(new URL('../../mcp-server', import.meta.url));
const command = fileURLToPath(new URL('../../packages/mcp/scripts/main.ts', import.meta.url));
const run = promisify(execFile);
const { resolve } = createRequire(import.meta.url);
const left = /^(node_modules|dist|\.cache|services)$/;
const ownTests = ['readme', 'formatting'].map((name) => `test/${name}.test.ts`);
const isMade = servicesIn(new URL('../../mcp-server/src/services/', import.meta.url)).length > 0;
const documentsOfSite = ['package.json', 'README.md', 'package-lock.json'];
let root = '';
let copy = '';
let output = '';

function newService(...names: string[]) {
  return run(process.execPath, ['--import', 'tsx', command, 'new', ...names], {
    cwd: copy,
  });
}

const read = (file: string) => readFile(path.join(copy, file), 'utf8');

/** As part of a site, the documents of both are updated. */
const hasSite = existsSync(path.join(workspace, '../package-lock.json'));

describe.skipIf(isMade)('in a copy', () => {
  beforeAll(async () => {
    root = await realpath(await mkdtemp(path.join(tmpdir(), 'new-service-')));
    copy = path.join(root, 'mcp-server');
    await cp(workspace, copy, {
      recursive: true,
      filter: (file) => file === workspace || !left.test(path.basename(file)),
    });
    for (const file of documentsOfSite) {
      const from = path.join(workspace, '..', file);
      if (existsSync(from)) await cp(from, path.join(root, file));
    }
    // As installed: the workspace's own packages and the shared ones.
    for (const folder of ['.', '..']) {
      const modules = path.join(workspace, folder, 'node_modules');
      await symlink(modules, path.join(copy, folder, 'node_modules')).catch(() => undefined);
    }
    output = (await newService('acme_crm')).stdout;
  });
  afterAll(() => rm(root, { recursive: true, force: true }));

  test('the generated code compiles with everything else, and its tests and those of the documents pass', async () => {
    const vitest = path.join(path.dirname(resolve('vitest/package.json')), 'vitest.mjs');
    const [, tests] = await Promise.all([
      run(process.execPath, [resolve('typescript/bin/tsc'), '--noEmit'], { cwd: copy }),
      run(process.execPath, [vitest, 'run', 'src/services', ...ownTests], {
        cwd: copy,
        env: { PATH: process.env['PATH'], NO_COLOR: '1', CI: '1' },
      }),
    ]);
    expect(tests.stdout).toMatch(/Test Files +4 passed/);
  });

  test('the program serves the generated service', async () => {
    const { stdout } = await run(process.execPath, ['--import', 'tsx', 'main.ts', '--check'], {
      cwd: copy,
    });
    expect(stdout).toMatch(/^Nothing is wrong\. acme_crm_mcp has 1 tools/);
  });

  test('package, program and documents have its name, and its settings instead of the example’s', async () => {
    expect(JSON.parse(await read('package.json'))).toMatchObject({
      name: 'acme-crm-mcp',
      mcpName: 'io.github.your-name/acme-crm-mcp',
      bin: { 'acme-crm-mcp': 'dist/main.js' },
    });
    const readme = await read('README.md');
    expect(readme).toMatch(/^# Acme crm MCP server\n/);
    expect(readme).toContain('"ACME_CRM_API_BASE_URL": "https://api.acme-crm.example/v1"');
    expect(readme).not.toMatch(/EXAMPLE_API_|"example": \{|:4010|example-development-token/);
    expect(await read('.env.example')).toContain('ACME_CRM_API_TOKEN=\n');
    expect(await read('.env.example')).not.toContain('EXAMPLE_API_');
    expect(JSON.parse(await read('server.json'))).toMatchObject({
      name: 'io.github.your-name/acme-crm-mcp',
      packages: [
        {
          identifier: 'acme-crm-mcp',
          environmentVariables: [{ name: 'ACME_CRM_API_BASE_URL' }, {}, {}, {}, {}, {}],
        },
        { identifier: 'acme-crm-mcp' },
      ],
    });
    if (!hasSite) return;
    expect(await read('../README.md')).toContain('"acme_crm": {');
    const lock = JSON.parse(await read('../package-lock.json')) as { packages: object };
    expect(lock.packages).toMatchObject({
      'mcp-server': { name: 'acme-crm-mcp' },
      'node_modules/acme-crm-mcp': { resolved: 'mcp-server', link: true },
    });
    expect(lock.packages).not.toHaveProperty('node_modules/mcp-server');
  });

  test('it consists of few files, none of which contains the skeleton’s name', async () => {
    const made = path.join(copy, 'src/services/acme_crm');
    const files = await readdir(made, { recursive: true, withFileTypes: true });
    const names = files.filter((entry) => entry.isFile());
    expect(names.map(({ name }) => name).sort()).toEqual([
      'acme_crm_list_items.json',
      'list-items.test.ts',
      'list-items.ts',
      'service.ts',
      'settings.ts',
      'state.ts',
      'wire.test.ts',
    ]);
    for (const { name, parentPath } of names) {
      expect(await readFile(path.join(parentPath, name), 'utf8'), name).not.toMatch(/skeleton/i);
    }
  });

  test('the output lists what was created, and the next steps', () => {
    expect(output).toContain('src/services/acme_crm/, which is served');
    expect(output).toContain('ACME_CRM_API_…');
    expect(output).toContain('npx vitest run src/services/acme_crm -u');
  });

  test('without a site, the output names no file or script of one', async () => {
    for (const file of documentsOfSite) {
      await rename(path.join(root, file), path.join(root, `away-${file}`)).catch(() => undefined);
    }
    const services = path.join(copy, 'src/services');
    await rename(services, path.join(root, 'services'));
    onTestFinished(async () => {
      for (const file of documentsOfSite) {
        await rename(path.join(root, `away-${file}`), path.join(root, file)).catch(() => undefined);
      }
      await rm(services, { recursive: true });
      await rename(path.join(root, 'services'), services);
    });
    const { stdout } = await newService('initech');
    expect(stdout).toContain('Made src/services/initech/');
    expect(stdout).not.toMatch(/mcp-server|mcp:/);
  });

  test('an invalid name and a second service are rejected with one sentence, and nothing is created', async () => {
    const before = await readdir(path.join(copy, 'src/services'));
    for (const [name, sentence] of [
      ['Acme', /^A service's name is .*"Acme" is not\.\n$/],
      ['globex', /^There is src\/services\/acme_crm already, and a server has one service\.\n$/],
    ] as const) {
      const failure = await newService(name).catch((error: unknown) => error);
      expect(failure).toMatchObject({ code: 1, stdout: '' });
      expect((failure as { stderr: string }).stderr).toMatch(sentence);
    }
    expect(await readdir(path.join(copy, 'src/services'))).toEqual(before);
  });
});
