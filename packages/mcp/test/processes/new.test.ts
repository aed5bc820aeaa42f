/** `gatehouse-mcp new`: the folder that it makes compiles, passes its tests and is served. */
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';

const folder = fileURLToPath(new URL('../..', import.meta.url));
const command = path.join(folder, 'scripts/main.ts');
const { resolve } = createRequire(import.meta.url);
const env = { PATH: process.env['PATH'], NO_COLOR: '1', CI: '1' };
let place = '';
let made = '';
let output = '';

const node = (cwd: string, ...args: string[]) =>
  promisify(execFile)(process.execPath, ['--import', 'tsx', ...args], { cwd, env });

beforeAll(async () => {
  // Inside the package, so that packages resolve as they would where it is installed.
  await mkdir(path.join(folder, '.cache'), { recursive: true });
  place = await mkdtemp(path.join(folder, '.cache/new-'));
  output = (await node(place, command, 'new', 'acme_crm')).stdout;
  made = path.join(place, 'acme-crm-mcp');
});
afterAll(() => rm(place, { recursive: true, force: true }));

const filesOf = async (place: string) =>
  (await readdir(place, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map(({ name, parentPath }) => path.relative(place, path.join(parentPath, name)));

test('it makes ten files, none of which has the starter’s name', async () => {
  const files = await filesOf(made);
  expect(files.sort()).toEqual([
    ...['.env.example', 'README.md', 'main.ts', 'package.json', 'resources/documents.ts'],
    ...['service.ts', 'settings.ts', 'tools/search-users.test.ts', 'tools/search-users.ts'],
    'tsconfig.json',
  ]);
  for (const file of files) {
    const text = await readFile(path.join(made, file), 'utf8');
    expect(text.replaceAll(/\.example|@example\.com/g, ''), file).not.toMatch(
      /example(?!s?[`:;.])/i,
    );
  }
  expect(output).toContain('Made acme-crm-mcp/, the folder of acme_crm_mcp.');
});

test('package, program and documents have the service’s name', async () => {
  const read = (file: string) => readFile(path.join(made, file), 'utf8');
  expect(JSON.parse(await read('package.json'))).toMatchObject({
    name: 'acme-crm-mcp',
    mcpName: 'io.github.your-name/acme-crm-mcp',
    bin: { 'acme-crm-mcp': 'dist/main.js' },
  });
  const readme = await read('README.md');
  expect(readme).toContain('"args": ["/absolute/path/to/acme-crm-mcp/dist/main.js"]');
  expect(readme).toContain('"ACME_CRM_API_BASE_URL": "https://api.acme-crm.example/v1"');
  expect(await read('.env.example')).toContain('ACME_CRM_API_TOKEN=\n');
});

test('it compiles, its tests pass in less than ten seconds, and it is served', async () => {
  await node(made, resolve('typescript/bin/tsc'), '--noEmit');
  const started = performance.now();
  const tests = await node(made, command, 'test');
  expect(tests.stdout).toMatch(/Tests +3 passed/);
  expect(performance.now() - started).toBeLessThan(10_000);
  const { stdout } = await node(made, 'main.ts', '--check');
  expect(stdout).toBe('Nothing is wrong. acme_crm_mcp has 1 tools, 2 resources and 0 prompts.\n');
});

test('in a folder that still wraps the starter’s service it takes its place, and keeps its package', async () => {
  const site = path.join(place, 'mcp-server');
  await mkdir(site);
  const starter = await readFile(path.join(folder, 'examples/starter/service.ts'), 'utf8');
  await writeFile(path.join(site, 'service.ts'), starter);
  await writeFile(path.join(site, 'package.json'), '{"name":"of-the-site"}');
  await node(site, command, 'new', 'acme');
  expect(await readFile(path.join(site, 'package.json'), 'utf8')).toBe('{"name":"of-the-site"}');
  expect(await readFile(path.join(site, 'service.ts'), 'utf8')).toContain("name: 'acme_mcp'");
  expect(await readFile(path.join(site, 'README.md'), 'utf8')).toContain('to/mcp-server/dist');
  await expect(node(site, command, 'new', 'other')).rejects.toThrow(
    'mcp-server is there already, with another service.',
  );
});
