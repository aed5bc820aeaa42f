/**
 * Everything that the documents name must exist: files, link targets and headings, npm scripts, settings. Fails for
 * stale documents.
 */
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { documentsOf } from './documents';

const root = fileURLToPath(new URL('../..', import.meta.url));
const { read, files, documents, missing } = documentsOf(root);

/** Names in a document that do not exist yet. The second test below fails once one of them does. */
const toCome: string[] = [];

test.each(documents)('everything that %s names exists', (document) => {
  expect(missing(document, read(document)).filter((what) => !toCome.includes(what))).toEqual([]);
});

test('no listed exception exists', () => {
  const absent = documents.flatMap((document) => missing(document, read(document)));
  expect(toCome.filter((what) => !absent.includes(what))).toEqual([]);
});

test('the documents are found', () => {
  expect(documents).toEqual(
    expect.arrayContaining([
      '.env.example',
      'AGENTS.md',
      'CHANGELOG.md',
      'README.md',
      'docs/architecture.md',
      'docs/recipes/platform/action.md',
    ]),
  );
});

test('missing files, links and scripts are reported', () => {
  const text = `
# A title

See [this](./nothing.md), [that](architecture.md#no-such-heading), [here](#a-title) and
[there](architecture.md#layout). <img src="made-up.png" alt="" /> <img src="../public/favicon.svg" alt="" /> The file \`app/platform/made-up.ts\` and its neighbour \`made-up.tsx:12\` stand in
\`app/made-up/\`; \`app/**/*.nothing.ts\` and \`~/made/up.ts\` do not. \`app/routes.ts:3\`, \`routes/home.tsx\`,
\`app/platform/\`, \`app/platform/operations/*.ts\`, \`~/platform/operations/media.ts\`, \`node_modules/x.js\`, \`text/html\`,
\`/api/user\`, \`@remix-run/node\` and \`sonner/dist/styles.css\` are fine, or no files of ours.

Run \`npm run made-up\`, \`npm run -w mcp-server nothing\`, \`npm run build\` or \`npm test\`.
`;
  expect(missing('docs/example.md', text)).toEqual(
    [
      'link to ./nothing.md',
      'link to architecture.md#no-such-heading, which has no such heading',
      'link to made-up.png',
      'app/platform/made-up.ts',
      'made-up.tsx',
      'app/made-up/',
      'app/**/*.nothing.ts',
      '~/made/up.ts',
      'npm run made-up',
      'npm run -w mcp-server nothing',
    ].map((what) => `docs/example.md: ${what}`),
  );
});

test('AGENTS.md, the README and the decisions stay short', () => {
  const lines = (file: string) => read(file).trimEnd().split('\n').length;
  expect(lines('AGENTS.md')).toBeLessThanOrEqual(60);
  expect(lines('README.md')).toBeLessThan(185);
  expect(lines('mcp-server/README.md')).toBeLessThan(75);
});

// Settings: documents, `.env.example` and programs must name the same ones.

/** The settings that a file declares. */
function settingsOf(file: string): string[] {
  const names = [...read(file).matchAll(/^ *([A-Z][A-Z0-9_]+):/gm)];
  return [...new Set(names.map(([, name = '']) => name))];
}

/** The names in the first column of a page's tables of settings. */
function settingsInTables(text: string): string[] {
  return text
    .split('\n')
    .map((line) => /^\| (`[A-Z][^|]*)\|/.exec(line)?.[1] ?? '')
    .flatMap((cell) => [...cell.matchAll(/`([A-Z][A-Z0-9_]+)`/g)].map(([, name = '']) => name));
}

/** Every setting-like name in a text: at least two words, in capitals. */
function settingsNamed(text: string): string[] {
  return [...text.matchAll(/`([A-Z][A-Z0-9]*_[A-Z0-9_]+)/g)].map(([, name = '']) => name);
}

test('the tables of the development pages list each setting of the simulator, and no other', () => {
  const known = settingsOf('packages/simulator/src/programs/env.ts');
  expect(known).toContain('PLATFORM_PORT');
  const pages = ['docs/development.md', 'docs/mcp/development.md'];
  expect(pages.flatMap((page) => settingsInTables(read(page))).sort()).toEqual(known.toSorted());
});

test('both READMEs configure clients with the same program', () => {
  const [short, whole] = ['README.md', 'mcp-server/README.md'].map((document) => {
    const [, text = ''] = /^```json\n(\{\s*"mcpServers".+?)^```$/ms.exec(read(document)) ?? [];
    const { mcpServers } = JSON.parse(text) as { mcpServers: Record<string, object> };
    return Object.values(mcpServers)[0];
  });
  expect(short).toHaveProperty('command');
  expect(whole).toMatchObject(short ?? {});
});

test.each(documents)('every setting that %s names is read by a program', (document) => {
  expect(settingsNamed(read(document)).filter((name) => !inPrograms(name))).toEqual([]);
});

const programs = files
  .filter((file) => /\.(tsx?|m?js)$/.test(file) && file !== 'template/repository/docs.test.ts')
  .map(read);

function inPrograms(name: string): boolean {
  const word = new RegExp(`\\b${name}\\b`);
  return programs.some((text) => word.test(text));
}

test('a setting that nothing reads, and one without a row, are reported', () => {
  expect(inPrograms('MADE_UP')).toBe(false);
  expect(inPrograms('SITE_ORIGIN')).toBe(true);
  expect(settingsNamed('Set `MADE_UP` and `PORT`, or `MADE_UP_TOO=1`.')).toEqual([
    'MADE_UP',
    'MADE_UP_TOO',
  ]);
  expect(settingsInTables('| `ONE`, `TWO_B` | `3000` |\n| other | `X_Y` |')).toEqual([
    'ONE',
    'TWO_B',
  ]);
});
