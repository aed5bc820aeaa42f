/**
 * What an owner adds to a generated site: an operation of the platform with its simulated side, a page that uses it,
 * and a flow.
 */
import { commit, copyRepository, edit, init, read, type MadeSite } from './made-site';

/** A site without samples, to which boards were added and not committed. */
export async function siteWithBoards(): Promise<MadeSite> {
  const site = await copyRepository();
  await init(site, 'framewise', '--without', 'studio,mcp');
  await commit(site, 'Framewise');
  await addBoards(site);
  await site.run('git', 'add', '--all');
  return site;
}

export async function addBoards(site: MadeSite): Promise<void> {
  await addOperation(site);
  await addSimulatedSide(site);
  await addPage(site);
  await addFlow(site);
  await site.run('npx', 'prettier', '--write', '.');
}

async function addOperation(site: MadeSite): Promise<void> {
  await site.write(
    'app/platform/operations/boards.ts',
    `/** The visitor's boards. */
import { z } from 'zod';
import { body, operation } from '@gatehouse/platform/server';

const wire = z.array(z.object({ id: z.string(), title: z.string() }));

export const boards = { list: operation({ get: '/boards', returns: body(wire) }) };
`,
  );
  await append(site, 'app/platform/operations/index.ts', "export { boards } from './boards';\n");
}

async function addSimulatedSide(site: MadeSite): Promise<void> {
  await site.write(
    'app/platform/simulated/boards.ts',
    `/** The boards of the workspace. */
import { jsonResponse, type Operation } from '@gatehouse/simulator/operations';

export const createState = () => null;

export const operations = [
  {
    name: 'boards',
    method: 'GET',
    path: '/boards',
    run: ({ persona }) => jsonResponse(200, [{ id: 'b1', title: \`Board of \${persona.id}\` }]),
  },
] as const satisfies readonly Operation<unknown>[];
`,
  );
  await append(site, 'app/platform/simulated/index.ts', "export * as boards from './boards';\n");
}

async function addPage(site: MadeSite): Promise<void> {
  const page = (await read(site, 'docs/recipes/platform/guarded-page.md'))
    .replace(/^.*?```tsx\n(.*?)```.*$/s, '$1')
    .replace(/^\/\*\*.*?\*\/$/m, '/** `/boards`: what the visitor has on the platform. */')
    .replace('sdk.bookmarks', 'sdk.boards')
    .replaceAll('Bookmarks', 'Boards');
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

async function append(site: MadeSite, file: string, text: string): Promise<void> {
  await site.write(file, (await read(site, file)) + text);
}
