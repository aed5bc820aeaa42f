/**
 * Adding a platform operation, a page that uses it and a flow requires edits only in folders that the site owns and
 * in `app/platform/sdk/`.
 */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { commit, copyRepository, init, type MadeSite } from './made-site';

/** The row "yours" of the table in docs/architecture.md. */
const yours =
  /^(app\/(?!platform\/|frame\/)|app\/platform\/sdk\/|e2e\/(flows|platform)\/|e2e\/site\.ts$|public\/|[^/]+$)/;

let site: MadeSite;

beforeAll(async () => {
  site = await copyRepository();
  await init(site, 'framewise', '--without', 'studio,mcp');
  await commit(site, 'Framewise');
});
afterAll(() => site.remove());

test('a new operation, its page and its flow change only files that the site owns, and all tests pass', async () => {
  await addOperation();
  await addSimulatedSide();
  await addPage();
  await addFlow();
  await site.run('npx', 'prettier', '--write', '.');

  await site.run('git', 'add', '--all');
  const touched = (await site.run('git', 'diff', '--name-only', 'HEAD')).trim().split('\n');
  expect(touched).toContain('e2e/flows/boards.spec.ts');
  expect(touched.filter((file) => !yours.test(file))).toEqual([]);

  await site.run('npm', 'run', 'typecheck');
  await site.run('npm', 'run', 'lint');
  await site.run('npm', 'run', 'test:unit');
  await site.run('npm', 'run', 'build');
  const flow = await site.run(
    'npx',
    'playwright',
    'test',
    'boards',
    '--project',
    'blocked-partitioned',
  );
  expect(flow).toMatch(/1 passed/);
});

async function addOperation(): Promise<void> {
  await add(
    'app/platform/sdk/boards/port.server.ts',
    `/** What routes may ask of the visitor's boards. */
export interface Board {
  id: string;
  title: string;
}

export interface Boards {
  list(): Promise<Board[]>;
}
`,
  );
  await add(
    'app/platform/sdk/boards/http.server.ts',
    `/** Boards over HTTP, and in the offline demo. */
import { z } from 'zod';
import type { SdkCalls } from '../calls.server';
import type { Boards } from './port.server';

const upstreamBoards = z.array(z.object({ id: z.string(), title: z.string() }));

export const createBoards = (calls: SdkCalls): Boards => ({
  list: async () => calls.call(upstreamBoards, { path: '/boards' }),
});

export const demoBoards: Boards = { list: () => Promise.resolve([]) };
`,
  );
  const sdk = 'app/platform/sdk';
  await edit(
    `${sdk}/port.server.ts`,
    /(?=import type \{ Credits)/,
    "import type { Boards } from './boards/port.server';\n",
  );
  await edit(`${sdk}/port.server.ts`, /(?<=interface PlatformSdk \{\n)/, 'boards: Boards;\n');
  await edit(
    `${sdk}/sdk.server.ts`,
    /(?=import \{ createSdkCalls)/,
    "import { createBoards } from './boards/http.server';\n",
  );
  await edit(
    `${sdk}/sdk.server.ts`,
    /(?<=createSdkCalls\(options\);\n {2}return \{\n)/,
    'boards: createBoards(calls),\n',
  );
  await edit(
    `${sdk}/memory.server.ts`,
    /(?=import \{ createDemoCredits)/,
    "import { demoBoards } from './boards/http.server';\n",
  );
  await edit(
    `${sdk}/memory.server.ts`,
    /(?<= {2}return \{\n)(?= {4}generations)/,
    'boards: demoBoards,\n',
  );
}

async function addSimulatedSide(): Promise<void> {
  const neighbour = await read('e2e/platform/operations/read-generation.ts');
  const imports = neighbour.match(/^import [^;]+;$/gm)?.join('\n') ?? '';
  await add(
    'e2e/platform/operations/list-boards.ts',
    `/** The boards of the workspace. */
${imports}

export const listBoards = {
  name: 'boards',
  method: 'GET',
  path: '/boards',
  run: ({ persona }) => jsonAnswer(200, [{ id: 'b1', title: \`Board of \${persona.id}\` }]),
} as const satisfies SiteOperation;
`,
  );
  const list = 'e2e/platform/index.ts';
  await edit(list, /(?<=operations: \[)/, 'listBoards, ');
  await edit(
    list,
    /(?=^import \{ listGenerations)/m,
    "import { listBoards } from './operations/list-boards';\n",
  );
}

async function addPage(): Promise<void> {
  const page = (await read('docs/recipes/guarded-page.md'))
    .replace(/^.*?```tsx\n(.*?)```.*$/s, '$1')
    .replace(/^\/\*\*.*?\*\/$/m, '/** `/boards`: what the visitor has on the platform. */')
    .replace('generations.list()', 'boards.list()')
    .replace('{ items }', 'items')
    .replace(/items\.filter\([^\n]*\)/, 'items')
    .replaceAll(/\bfinished\b(?! yet)/g, 'boards')
    .replaceAll('prompt', 'title')
    .replaceAll('History', 'Boards');
  await add('app/routes/boards.tsx', page);
  await edit('app/routes.ts', /(?= *route\('account')/, "route('boards', 'routes/boards.tsx'),\n");
  await edit(
    'app/site.config.ts',
    /(?= *\{ to: '\/account')/,
    "{ to: '/boards', label: 'Boards' },\n",
  );
}

async function addFlow(): Promise<void> {
  const neighbour = await read('e2e/flows/site.spec.ts');
  const fixtures = /^import \{ expect, test \} from [^;]+;$/m.exec(neighbour)?.[0] ?? '';
  await add(
    'e2e/flows/boards.spec.ts',
    `${fixtures}

test('the boards are shown to whom they belong', async ({ framed, signedIn }) => {
  await signedIn('ada', '/boards');
  await expect(framed.site.getByText('Board of ada')).toBeVisible();
});
`,
  );
}

function read(file: string): Promise<string> {
  return readFile(path.join(site.folder, file), 'utf8');
}

function add(file: string, text: string): Promise<void> {
  return site.write(file, text);
}

/** Replaces the match of a pattern with the text, or the whole file with the result of a function. */
async function edit(
  file: string,
  place: RegExp | ((text: string) => string),
  text = '',
): Promise<void> {
  const before = await read(file);
  const after = typeof place === 'function' ? place(before) : before.replace(place, () => text);
  if (after === before) throw new Error(`${file} does not match ${String(place)}.`);
  await add(file, after);
}
