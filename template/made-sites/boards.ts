/**
 * What an owner adds to a generated site: an operation of the platform with its simulated side, a page that uses it,
 * and a flow.
 */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { commit, copyRepository, init, type MadeSite } from './made-site';

/** A site without samples, to which boards were added and not committed. */
export async function siteWithBoards(): Promise<MadeSite> {
  const site = await copyRepository();
  await init(site, 'framewise', '--without', 'studio,mcp');
  await commit(site, 'Framewise');
  await addOperation(site);
  await addSimulatedSide(site);
  await addPage(site);
  await addFlow(site);
  await site.run('npx', 'prettier', '--write', '.');
  await site.run('git', 'add', '--all');
  return site;
}

async function addOperation(site: MadeSite): Promise<void> {
  await site.write(
    'app/platform/boards/port.server.ts',
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
  await site.write(
    'app/platform/boards/http.server.ts',
    `/** Boards over HTTP, and in the offline demo. */
import { z } from 'zod';
import type { SdkCalls } from '@gatehouse/platform/server';
import type { Boards } from './port.server';

const upstreamBoards = z.array(z.object({ id: z.string(), title: z.string() }));

export const createBoards = (calls: SdkCalls): Boards => ({
  list: async () => calls.call(upstreamBoards, { path: '/boards' }),
});

export const demoBoards: Boards = { list: () => Promise.resolve([]) };
`,
  );
  const sdk = 'app/platform';
  await edit(
    site,
    `${sdk}/port.server.ts`,
    /(?=import type \{ Credits)/,
    "import type { Boards } from './boards/port.server';\n",
  );
  await edit(site, `${sdk}/port.server.ts`, /(?<=interface PlatformSdk \{\n)/, 'boards: Boards;\n');
  await edit(
    site,
    `${sdk}.server.ts`,
    /(?=import \{ createCredits)/,
    "import { createBoards } from './platform/boards/http.server';\n",
  );
  await edit(
    site,
    `${sdk}.server.ts`,
    /(?<= {2}sdk: \(calls\) => \(\{\n)/,
    'boards: createBoards(calls),\n',
  );
  await edit(
    site,
    `${sdk}/memory.server.ts`,
    /(?=import \{ createDemoCredits)/,
    "import { demoBoards } from './boards/http.server';\n",
  );
  await edit(
    site,
    `${sdk}/memory.server.ts`,
    /(?<= {2}return \{\n)(?= {4}generations)/,
    'boards: demoBoards,\n',
  );
}

async function addSimulatedSide(site: MadeSite): Promise<void> {
  const neighbour = await read(site, 'e2e/platform/operations/read-generation.ts');
  const imports = neighbour.match(/^import [^;]+;$/gm)?.join('\n') ?? '';
  await site.write(
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
  await edit(site, list, /(?<=operations: \[)/, 'listBoards, ');
  await edit(
    site,
    list,
    /(?=^import \{ listGenerations)/m,
    "import { listBoards } from './operations/list-boards';\n",
  );
}

async function addPage(site: MadeSite): Promise<void> {
  const page = (await read(site, 'docs/recipes/guarded-page.md'))
    .replace(/^.*?```tsx\n(.*?)```.*$/s, '$1')
    .replace(/^\/\*\*.*?\*\/$/m, '/** `/boards`: what the visitor has on the platform. */')
    .replace(/generations\.list\([^\n]*\);/, 'boards.list();')
    .replace('{ items }', 'items')
    .replace(/items\.filter\([^\n]*\)/, 'items')
    .replaceAll(/\bfinished\b(?! yet)/g, 'boards')
    .replaceAll('prompt', 'title')
    .replaceAll('History', 'Boards');
  await site.write('app/routes/boards.tsx', page);
  await edit(
    site,
    'app/routes.ts',
    /(?= *route\('api\/\*')/,
    "route('boards', 'routes/boards.tsx'),\n",
  );
  await edit(
    site,
    'app/site.config.ts',
    /(?<=label: 'Home' \})/,
    ", { to: '/boards', label: 'Boards' }",
  );
}

async function addFlow(site: MadeSite): Promise<void> {
  const neighbour = await read(site, 'e2e/flows/site.spec.ts');
  const fixtures = /^import \{ expect, test \} from [^;]+;$/m.exec(neighbour)?.[0] ?? '';
  await site.write(
    'e2e/flows/boards.spec.ts',
    `${fixtures}

test('the boards are shown to whom they belong', async ({ framed, signedIn }) => {
  await signedIn('ada', '/boards');
  await expect(framed.site.getByText('Board of ada')).toBeVisible();
});
`,
  );
}

function read(site: MadeSite, file: string): Promise<string> {
  return readFile(path.join(site.folder, file), 'utf8');
}

/** Replaces the match of a pattern with the text. */
async function edit(site: MadeSite, file: string, place: RegExp, text: string): Promise<void> {
  const before = await read(site, file);
  const after = before.replace(place, () => text);
  if (after === before) throw new Error(`${file} does not match ${String(place)}.`);
  await site.write(file, after);
}
