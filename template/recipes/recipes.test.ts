/** Type-checks every code block of the recipes against the app. */
import path from 'node:path';
import * as ts from 'typescript';
import { beforeAll, expect, test } from 'vitest';
import { blocks, files, followedRecipes, recipes, root, routeLines } from './site-recipes';

const codeOf = (title: string): string => {
  const block = files.find((file) => file.title === title);
  if (!block) throw new Error(`No recipe contains ${title}.`);
  return block.code;
};

/** Ways to the SDK without a passed guard. The compiler must reject each. */
const withoutGuard: Record<string, { title: string; from: string; to: string }> = {
  'a page with a forged guard result': {
    title: 'app/routes/shelf.tsx',
    from: 'await checkPlatformUser(context)',
    to: "{ ok: true as const, user: { id: 'usr_ada' } }",
  },
  'a page that does not check the guard': {
    title: 'app/routes/shelf.tsx',
    from: 'if (!guard.ok) return { items: [] };',
    to: '',
  },
  'a page that does not wait for the guard': {
    title: 'app/routes/bookmarks.tsx',
    from: 'await requirePlatformSdk(args)',
    to: 'requirePlatformSdk(args)',
  },
  'a route with the guard of another kind of account': {
    title: 'app/routes/api.latest.ts',
    from: 'await requirePlatformSdk(args)',
    to: "await (await import('~/accounts.server')).requireAccount(args)",
  },
  'an action that lets a failure through': {
    title: 'app/routes/save.tsx',
    from: 'if (!guard.ok) return',
    to: 'if (guard.ok) return',
  },
  'a route that passes no guard': {
    title: 'app/routes/order.tsx',
    from: 'createPlatformSdk(guard)',
    to: 'createPlatformSdk()',
  },
};

const misread = 'a page that reads an unknown field of a response';

const variants: typeof withoutGuard = {
  ...withoutGuard,
  [misread]: { title: 'app/routes/count.tsx', from: 'data.count', to: 'data.total' },
};

function variantOf(name: string): { title: string; code: string } {
  const { title, from, to } = variants[name] ?? { title: '', from: '', to: '' };
  const code = codeOf(title);
  if (!code.includes(from)) throw new Error(`${title} no longer contains: ${from}`);
  return {
    title: title.replace(/\.tsx?$/, (end) => `.variant${end}`),
    code: code.replace(from, to),
  };
}

let complaints: (title: string) => string[];

beforeAll(async () => {
  const sources = new Map(
    [...(await followedRecipes())].map(([file, code]) => [path.join(root, file), code]),
  );
  for (const name of Object.keys(variants)) {
    const { title, code } = variantOf(name);
    sources.set(path.join(root, title), code);
  }
  complaints = typeCheck(sources);
});

/** Creates one program with the app's own compiler options, in which `sources` override the files on disk. */
function typeCheck(sources: Map<string, string>): (title: string) => string[] {
  const config = ts.readConfigFile(path.join(root, 'tsconfig.json'), (file) =>
    ts.sys.readFile(file),
  );
  const { options } = ts.parseJsonConfigFileContent(config.config, ts.sys, root);
  const disk = ts.createCompilerHost(options);
  const folders = new Set([...sources.keys()].map((file) => path.dirname(file)));
  const host: ts.CompilerHost = {
    ...disk,
    directoryExists: (folder) =>
      folders.has(path.normalize(folder)) || (disk.directoryExists?.(folder) ?? false),
    fileExists: (file) => sources.has(path.normalize(file)) || disk.fileExists(file),
    readFile: (file) => sources.get(path.normalize(file)) ?? disk.readFile(file),
    getSourceFile(file, ...rest) {
      const source = sources.get(path.normalize(file));
      return source === undefined
        ? disk.getSourceFile(file, ...rest)
        : ts.createSourceFile(file, source, rest[0], true);
    },
  };
  // Module augmentation for Remix itself: its future flags and its `context`.
  const declarations = ['packages/server/src/framework/remix/index.ts'];
  const program = ts.createProgram({
    rootNames: [...sources.keys(), ...declarations.map((file) => path.join(root, file))],
    options,
    host,
  });
  return (title) => {
    const source = program.getSourceFile(path.join(root, title));
    if (!source) return ['is not in the program'];
    return [
      ...program.getSyntacticDiagnostics(source),
      ...program.getSemanticDiagnostics(source),
    ].map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'));
  };
}

test('each recipe for the site is listed here, and every code block names its file', () => {
  expect(recipes.sort()).toEqual([
    'accounts/account-files.md',
    'accounts/account-page.md',
    'accounts/account-request.md',
    'accounts/account-rows.md',
    'accounts/between-members.md',
    'accounts/mail.md',
    'accounts/member-files.md',
    'accounts/member-picture.md',
    'accounts/published-rows.md',
    'accounts/reminders.md',
    'accounts/roles.md',
    'accounts/webhook-once.md',
    'both.md',
    'cookie.md',
    'external-service.md',
    'platform/action.md',
    'platform/background-request.md',
    'platform/download.md',
    'platform/flow.md',
    'platform/guarded-page.md',
    'platform/platform-operation.md',
    'platform/resource-route.md',
    'platform/streaming-page.md',
    'public-page.md',
    'public-route.md',
    'search-engines.md',
    'studio/archive.md',
    'studio/keep-clip.md',
    'studio/order-history.md',
    'studio/submit-generation.md',
    'studio/upload.md',
    'webhook.md',
  ]);
  expect(blocks.filter(({ title }) => !title)).toEqual([]);
  for (const recipe of recipes) {
    const titles = blocks.filter((block) => block.recipe === recipe).map(({ title }) => title);
    expect(titles.length, recipe).toBeGreaterThan(0);
  }
});

test('no two recipes contain the same file', () => {
  const titles = files.map(({ title }) => title ?? '');
  expect(new Set(titles).size).toBe(titles.length);
});

test('every block type-checks against the app', () => {
  const titles = new Set(blocks.map(({ title = '' }) => title));
  const found = [...titles].map((title) => [title, complaints(title)] as const);
  expect(found.filter(([, list]) => list.length)).toEqual([]);
});

test('every route file of a recipe has a line in the routes, and every line a file', () => {
  const named = [...routeLines.join('').matchAll(/'(routes\/[^']+)'/g)].map(
    ([, file]) => `app/${file}`,
  );
  const routes = files
    .map(({ title = '' }) => title)
    .filter((title) => /^app\/routes\//.test(title));
  expect(named.sort()).toEqual(routes.sort());
});

test('a response is typed by the route that it comes from', () => {
  expect(complaints(variantOf(misread).title).join('\n')).toContain("'total' does not exist");
});

test.each([
  ['app/routes/bookmarks.tsx', 25],
  ['app/sightings/routes/new.tsx', 45],
])('%s stays short: a guarded page of one list, a form on a site account', (file, lines) => {
  expect(codeOf(file).trimEnd().split('\n').length).toBeLessThanOrEqual(lines);
});

test.each(Object.keys(withoutGuard))('%s does not type-check [W09, W13]', (name) => {
  expect(complaints(variantOf(name).title).join('\n')).toMatch(
    /PassedGuard|Expected 1-2 arguments|Property 'sdk' does not exist/,
  );
});
