/** `npm run dev` and `npm run platform` in a folder with nothing but a site. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

import { expect, it, onTestFinished } from 'vitest';

import type { Operation, PlatformDefinition, SiteAccounts, SiteDefinition } from '../definition.ts';
import { visit } from '../../test/visit.ts';
import { childEnv } from './env.ts';
import { siteFolder } from './program.ts';

const site = `
  import { defineSite } from '@gatehouse/simulator';
  import { printShop } from '@gatehouse/simulator/test/print-shop';
  export default defineSite({ platform: printShop });
`;

const withOperations = (operations: string) =>
  site.replace('platform: printShop', `platform: { ...printShop, operations: ${operations} }`);

/** Answers every request, as the site of `npm run dev`. */
const siteProgram = `
  import { createServer } from 'node:http';
  createServer((_, response) => response.end('the site')).listen(process.env.PORT, '127.0.0.1');
`;

/** Creates a site with this `e2e/site.ts`, or without one; it is removed with the test. */
async function makeSite(siteFile: string | null): Promise<string> {
  // Inside this one, so that packages resolve as they do here.
  await mkdir(path.join(siteFolder, '.cache'), { recursive: true });
  const folder = await mkdtemp(path.join(siteFolder, '.cache/site-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const write = async (file: string, text: string): Promise<void> => {
    await mkdir(path.dirname(path.join(folder, file)), { recursive: true });
    await writeFile(path.join(folder, file), text);
  };
  await write('package.json', '{ "type": "module" }');
  await write('app/server/dev.ts', siteProgram);
  if (siteFile !== null) await write('e2e/site.ts', siteFile);
  return folder;
}

function run(folder: string, program: 'dev' | 'main') {
  const ports = ['PORT', 'PLATFORM_PORT', 'PLATFORM_INTERNAL_PORT'];
  const child = spawn(
    process.execPath,
    ['--import', 'tsx', fileURLToPath(new URL(`${program}.ts`, import.meta.url))],
    {
      cwd: folder,
      env: childEnv(Object.fromEntries(ports.map((name) => [name, '0']))),
    },
  );
  onTestFinished(() => void child.kill('SIGKILL'));
  const output = { stdout: '', stderr: '' };
  for (const stream of ['stdout', 'stderr'] as const) {
    child[stream].on('data', (data: Buffer) => (output[stream] += data.toString()));
  }
  return { child, output, exited: once(child, 'close') as Promise<[number | null]> };
}

it('npm run dev starts the site, and no MCP server where the site has none', async () => {
  const { child, output, exited } = run(await makeSite(site), 'dev');
  await expect.poll(() => output.stdout).toContain('Open http://platform.localhost:');
  const [, port = ''] = /localhost:(\d+)/.exec(output.stdout) ?? [];
  const [platformUrl, siteOrigin] = [
    `http://platform.localhost:${port}`,
    `http://site.localhost:${port}`,
  ];
  expect((await visit({ platformUrl, siteOrigin }, '/')).text).toBe('the site');
  expect(output.stdout).not.toContain('mcp');
  expect(output.stderr).toBe('');
  child.kill('SIGTERM');
  expect(await exited).toEqual([0, null]);
});

// A field that the types gain is missing here until it is added.
const operationFields: Record<keyof Operation<unknown>, string> = {
  name: "'search'",
  method: "'POST'",
  path: "'/search'",
  isRead: 'true',
  once: 'true',
  maxBytes: '1024',
  run: 'printShop.operations[0].run',
};
const platformFields: Record<keyof PlatformDefinition<unknown>, string> = {
  personas: 'printShop.personas',
  createState: 'printShop.createState',
  settle: '() => undefined',
  operations: `[${objectOf(operationFields)}]`,
};
const accountFields: Record<keyof SiteAccounts, string> = {
  signUp: 'async () => undefined',
  signIn: 'async () => undefined',
  passingTables: "['session']",
};
const siteFields: Record<keyof SiteDefinition<unknown>, string> = {
  platform: objectOf(platformFields),
  auth: "'both'",
  accounts: objectOf(accountFields),
  addresses: "['/posts/hello']",
  prepare: "() => ['/posts/hello']",
  published: `[
    { table: 'post', columns: ['text'], where: 'is_public' },
    { table: 'account', columns: ['name'], where: 'true', role: 'admin' },
    { table: 'loan', columns: ['message'], members: ['lender_id'] },
  ]`,
  requests: "() => [{ method: 'POST', path: '/posts' }]",
  settings: "{ WARES: '7' }",
};

function objectOf(fields: Record<string, string>): string {
  return `{ ${Object.entries(fields)
    .map(([name, value]) => `${name}: ${value}`)
    .join(', ')} }`;
}

it('a site file may declare everything that its type allows', async () => {
  const whole = site.replace('{ platform: printShop }', objectOf(siteFields));
  const { child, output, exited } = run(await makeSite(whole), 'main');
  await Promise.race([exited, expect.poll(() => output.stdout).toContain('http://')]);
  expect(output.stderr).toBe('');
  child.kill('SIGTERM');
  expect(await exited).toEqual([0, null]);
});

it.each<[string, string | null, string]>([
  [
    'is missing',
    null,
    'There is no e2e/site.ts: it says what the simulated platform can do for the site.',
  ],
  [
    'exports nothing',
    'export {}',
    'e2e/site.ts does not export a valid site, at default: Invalid input: expected object, received undefined.',
  ],
  [
    'has an operation without a method',
    withOperations('[{ name: "print" }]'),
    'e2e/site.ts does not export a valid site, at default.platform.operations.0.method: Invalid option: expected one of "GET"|"POST"|"PUT"|"PATCH"|"DELETE".',
  ],
  [
    'says what nobody asks',
    site.replace('platform:', 'plattform: 1, platform:'),
    'e2e/site.ts does not export a valid site, at default: Unrecognized key: "plattform".',
  ],
  [
    'sets what the site does not declare',
    site.replace('platform:', 'declaredSettings: {}, settings: { WARES: "7" }, platform:'),
    'e2e/site.ts failed to load: No setting of the site is named WARES.',
  ],
  [
    'shows rows to members and to a role at once',
    site.replace(
      'platform:',
      "published: [{ table: 'loan', columns: ['message'], members: ['lender_id'], role: 'admin' }], platform:",
    ),
    'e2e/site.ts does not export a valid site, at default.published.0: Invalid input: `members` says which accounts may see a row, `role` which pages show it: write two entries.',
  ],
  ['throws', 'throw new Error("Not today.")', 'e2e/site.ts failed to load: Not today.'],
  [
    'gives two operations one name',
    withOperations('[1, 2].map(() => printShop.operations[0])'),
    'Two operations of the platform are called print.',
  ],
  [
    'gives an operation a name that means something else',
    withOperations('[{ ...printShop.operations[0], name: "user" }]'),
    'No operation can be called user: the name is reserved.',
  ],
])('a site file that %s stops the simulator with one sentence', async (_what, text, sentence) => {
  const { output, exited } = run(await makeSite(text), 'main');
  expect([await exited, output]).toEqual([[1, null], { stdout: '', stderr: `${sentence}\n` }]);
});
