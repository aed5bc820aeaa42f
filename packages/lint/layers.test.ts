/** What a product may import, and who may import it. */
import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ESLint } from 'eslint';
import { importX } from 'eslint-plugin-import-x';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { frameworkInAdapters, zonesOf } from './layers.js';

let root = '';
let eslint: ESLint;

beforeAll(async () => {
  root = await realpath(await mkdtemp(path.join(tmpdir(), 'layers-')));
  for (const file of [
    'platform.server.ts',
    'platform/user.js',
    'platform/simulated/user.js',
    'shell/platform/user-state.js',
    'accounts.server.ts',
    'store.server.ts',
    'list/routes.ts',
    'list/migrations.server.ts',
    'canvas/routes.ts',
    'canvas/shapes.js',
    'pricing/price.js',
    'external/weather.server.js',
    'server/site.js',
    'routes/home.js',
    'root.tsx',
    'env.server.ts',
    '../packages/platform/src/user.js',
  ]) {
    const place = path.join(root, 'app', file);
    await mkdir(path.dirname(place), { recursive: true });
    await writeFile(place, 'export const x = 1;\n');
  }
  eslint = new ESLint({
    cwd: root,
    overrideConfigFile: true,
    baseConfig: {
      files: ['**/*.{js,ts}'],
      plugins: { 'import-x': importX },
      rules: {
        'import-x/no-restricted-paths': ['error', { basePath: root, zones: zonesOf(root) }],
      },
    },
  });
});
afterAll(() => rm(root, { recursive: true }));

async function messagesFor(file: string, imported: string): Promise<string[]> {
  const code = `import { x } from '${imported}';\nexport default x;\n`;
  const [result] = await eslint.lintText(code, { filePath: path.join(root, 'app', file) });
  return (result?.messages ?? []).map(({ message }) => message);
}

const packaged = '../../packages/platform/src/user.js';

test.each([
  '../platform/user.js',
  '../platform.server.ts',
  '../shell/platform/user-state.js',
  packaged,
])('a product with its own tables that imports %s is reported [W29]', async (imported) => {
  expect(await messagesFor('list/page.js', imported)).toEqual([
    expect.stringContaining('it uses app/accounts.server.ts and app/store.server.ts'),
  ]);
});

test.each([
  ['list/page.js', '../accounts.server.ts'],
  ['list/page.js', '../store.server.ts'],
  ['canvas/page.js', '../platform/user.js'],
  ['canvas/page.js', '../shell/platform/user-state.js'],
  ['canvas/page.js', '../platform.server.ts'],
  ['canvas/page.js', packaged],
  ['platform/user.js', packaged],
  ['shell/platform/user-state.js', '../../../packages/platform/src/user.js'],
  ['server/site.js', '../platform.server.ts'],
  ['platform/user.test.js', '../platform.server.ts'],
  ['platform/user.test.js', './simulated/user.js'],
  ['platform/simulated/demo.js', './user.js'],
  ['canvas/page.js', '../pricing/price.js'],
  ['canvas/page.js', '../external/weather.server.js'],
  ['external/weather.server.js', '../env.server.ts'],
  ['top.js', './canvas/routes.ts'],
  ['top.js', './server/site.js'],
  ['testing/canvas.js', '../canvas/shapes.js'],
  ['routes/home.test.js', '../server/site.js'],
])('%s may import %s', async (file, imported) => {
  expect(await messagesFor(file, imported)).toEqual([]);
});

test.each([
  ['list/page.js', '../canvas/shapes.js', 'A product may import all of app/ except'],
  ['canvas/page.js', '../routes/home.js', 'A product may import all of app/ except'],
  ['canvas/page.js', '../server/site.js', 'A product may import all of app/ except'],
  ['canvas/page.js', '../root.tsx', 'A product may import all of app/ except'],
  ['pricing/price.js', '../canvas/shapes.js', 'only files at the top of app/ may import it'],
  ['routes/home.js', '../canvas/shapes.js', 'only files at the top of app/ may import it'],
  ['pricing/price.js', '../server/site.js', 'Only the server itself is in app/server/'],
  ['routes/home.js', '../server/site.js', 'Only the server itself is in app/server/'],
  ['external/weather.server.js', '../accounts.server.ts', 'docs/import-rules.md'],
  ['platform/user.js', '../platform.server.ts', 'gives them their calls'],
  ['platform/user.js', './simulated/user.js', 'offline demo'],
  ['routes/home.js', '../platform/simulated/user.js', 'offline demo'],
  ['shell/platform/user-state.js', '../../platform/simulated/user.js', 'docs/import-rules.md'],
  ['shell/platform/user-state.js', '../../platform.server.ts', 'docs/import-rules.md'],
  ['accounts/mails.server.ts', '../accounts.server.ts', 'imports the words of mails'],
  ...['accounts.server.ts', 'store.server.ts'].map((file) => [
    file,
    './platform.server.ts',
    'works with any identity',
  ]),
  ...['accounts/page.js', 'external/weather.server.js', 'ui/button.js'].map((file) => [
    file,
    packaged,
    'works with any identity',
  ]),
])('%s must not import %s', async (file, imported, message) => {
  expect(await messagesFor(file, imported)).toContainEqual(expect.stringContaining(message));
});

async function frameworkMessagesFor(file: string, code: string): Promise<string[]> {
  const plain = new ESLint({
    cwd: root,
    overrideConfigFile: true,
    baseConfig: frameworkInAdapters,
  });
  const [result] = await plain.lintText(code, { filePath: path.join(root, 'packages', file) });
  return (result?.messages ?? []).map(({ message }) => message);
}

const usesOfFramework = [
  "import { json } from '@remix-run/node';",
  "import '@remix-run/react';",
  "export * from '@remix-run/router';",
  "await import('@remix-run/node');",
  "import { data } from 'react-router';",
  "import 'react-router/dom';",
  "import { decode } from 'turbo-stream';",
];

test.each([
  'frame/src/browser/connection.js',
  'frame/src/react/reload.js',
  'frame/src/server/forms.js',
  'server/src/listener/listener.js',
  'server/vite.js',
  'platform/src/testing/page-double.js',
  'accounts/src/guard.js',
  'proof/src/crawl/crawl.js',
])('packages/%s must not import the framework in any form', async (file) => {
  for (const code of usesOfFramework) {
    const messages = await frameworkMessagesFor(file, code);
    expect([code, ...messages]).toEqual([code, expect.stringContaining('Only the adapters')]);
  }
});

test.each([
  'frame/src/framework/remix/remix.js',
  'server/src/framework/remix/handler.js',
  'server/src/framework/react-router/handler.js',
  'server/vite/remix.js',
  'server/vite/react-router.js',
])('packages/%s may', async (file) => {
  for (const code of usesOfFramework) expect(await frameworkMessagesFor(file, code)).toEqual([]);
});
