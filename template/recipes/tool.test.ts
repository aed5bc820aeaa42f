/** Applies the recipe for a tool to a copy of the MCP server: it compiles, and its own test passes. */
import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));
const command = path.join(root, 'packages/mcp/scripts/main.ts');
const run = promisify(execFile);
const text = await readFile(new URL('../../docs/recipes/mcp/tool.md', import.meta.url), 'utf8');
const blocks = [...text.matchAll(/^`mcp-server\/([^`]+)`:\n\n```\w+\n(.*?)^```$/gms)];
let copy = '';

beforeAll(async () => {
  // Inside the repository, so that packages resolve as they would in `mcp-server/`.
  await mkdir(path.join(root, '.cache'), { recursive: true });
  copy = await mkdtemp(path.join(root, '.cache/tool-'));
  const built = /(^|\/)(node_modules|dist|ship)$/;
  const from = path.join(root, 'mcp-server');
  await cp(from, copy, { recursive: true, filter: (file) => !built.test(file) });
  await run(process.execPath, ['--import', 'tsx', command, 'new', 'acme'], { cwd: copy });
  for (const [, file = '', code = ''] of blocks) await writeFile(path.join(copy, file), code);
  const service = path.join(copy, 'service.ts');
  const written = await readFile(service, 'utf8');
  const extended = written
    .replace('import { searchUsers }', "import { listTeams } from './tools/list-teams.ts';\n$&")
    .replace('[searchUsers]', '[searchUsers, listTeams]');
  expect(extended.length).toBeGreaterThan(written.length + 50);
  await writeFile(service, extended);
});
afterAll(() => rm(copy, { recursive: true, force: true }));

test('the recipe contains a tool and its test, neither of which exists yet', async () => {
  const files = blocks.map(([, file = '']) => file);
  expect(files).toEqual(['tools/list-teams.ts', 'tools/list-teams.test.ts']);
  for (const file of files) {
    await expect(readFile(path.join(root, 'mcp-server', file))).rejects.toThrow('ENOENT');
  }
});

test('it compiles in a new service, and its test and the service’s own pass', async () => {
  const program = (file: string, ...args: string[]) =>
    run(process.execPath, ['--import', 'tsx', file, ...args], {
      cwd: copy,
      env: { PATH: process.env['PATH'], NODE_ENV: 'test', NO_COLOR: '1', CI: '1' },
    });
  const [, tests] = await Promise.all([
    program(path.join(root, 'node_modules/typescript/bin/tsc'), '--noEmit'),
    program(command, 'test'),
  ]);
  expect(tests.stdout).toMatch(/Test Files +2 passed/);
});
