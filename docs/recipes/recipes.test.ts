/**
 * The recipes are code: every block of them is type-checked against the app, and their loaders and
 * actions run against a double of the platform, signed out and signed in.
 */
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import * as ts from 'typescript';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';

// The compiler and the app's modules load within the first test that needs them.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

const root = fileURLToPath(new URL('../..', import.meta.url));
const here = fileURLToPath(new URL('.', import.meta.url));

interface Block {
  recipe: string;
  language: string;
  /** The file that the block is, or adds lines to. */
  title: string | undefined;
  code: string;
}

/** The tool's is the MCP server's, and has a test of its own. */
const recipes = (await readdir(here)).filter((name) => name.endsWith('.md') && name !== 'tool.md');
const blocks: Block[] = [];
for (const recipe of recipes) {
  const text = await readFile(path.join(here, recipe), 'utf8');
  for (const [, language = '', info = '', code = ''] of text.matchAll(
    /^```(\w*)([^\n]*)\n(.*?)^```$/gms,
  )) {
    blocks.push({ recipe, language, title: /title="([^"]+)"/.exec(info)?.[1], code });
  }
}
const routesFile = 'app/routes.ts';
const files = blocks.filter(({ title }) => title !== routesFile);
const routeLines = blocks.filter(({ title }) => title === routesFile).map(({ code }) => code);
const codeOf = (title: string): string => {
  const block = files.find((file) => file.title === title);
  if (!block) throw new Error(`No recipe holds ${title}.`);
  return block.code;
};

/** Each is refused by the compiler: the way to the SDK without the guard's success. */
const withoutGuard: Record<string, { title: string; from: string; to: string }> = {
  'a page whose guard is made up': {
    title: 'app/routes/history.tsx',
    from: 'await requirePlatformUser(context)',
    to: "{ ok: true as const, user: { id: 'usr_ada' } }",
  },
  'a route that does not look at the answer': {
    title: 'app/routes/api.latest.ts',
    from: 'if (!guard.ok) return guardFailureResponse(guard);',
    to: '',
  },
  'an action that lets a failure through': {
    title: 'app/routes/postcard.tsx',
    from: 'if (!guard.ok) {',
    to: 'if (guard.ok) {',
  },
  'a route that asks for no guard': {
    title: 'app/routes/api.export.ts',
    from: 'createPlatformSdk(guard)',
    to: 'createPlatformSdk()',
  },
};

function variantOf(name: string): { title: string; code: string } {
  const { title, from, to } = withoutGuard[name] ?? { title: '', from: '', to: '' };
  const code = codeOf(title);
  if (!code.includes(from)) throw new Error(`${title} no longer holds: ${from}`);
  return {
    title: title.replace(/\.tsx?$/, (end) => `.variant${end}`),
    code: code.replace(from, to),
  };
}

let complaints: (title: string) => string[];

beforeAll(async () => {
  const sources = new Map(files.map(({ title = '', code }) => [path.join(root, title), code]));
  for (const name of Object.keys(withoutGuard)) {
    const { title, code } = variantOf(name);
    sources.set(path.join(root, title), code);
  }
  const routes = await readFile(path.join(root, routesFile), 'utf8');
  const anchor = "  route('api/*'";
  if (!routes.includes(anchor)) throw new Error(`${routesFile} has no line for api/*.`);
  sources.set(
    path.join(root, routesFile),
    routes.replace(anchor, `${routeLines.join('')}${anchor}`),
  );
  complaints = typeCheck(sources);
});

/** One program over the app's own settings, in which `sources` stand before the files on disk. */
function typeCheck(sources: Map<string, string>): (title: string) => string[] {
  const config = ts.readConfigFile(path.join(root, 'tsconfig.json'), (file) =>
    ts.sys.readFile(file),
  );
  const { options } = ts.parseJsonConfigFileContent(config.config, ts.sys, root);
  const disk = ts.createCompilerHost(options);
  const host: ts.CompilerHost = {
    ...disk,
    fileExists: (file) => sources.has(path.normalize(file)) || disk.fileExists(file),
    readFile: (file) => sources.get(path.normalize(file)) ?? disk.readFile(file),
    getSourceFile(file, ...rest) {
      const source = sources.get(path.normalize(file));
      return source === undefined
        ? disk.getSourceFile(file, ...rest)
        : ts.createSourceFile(file, source, rest[0], true);
    },
  };
  // What the app declares about Remix itself: its flags and its `context`.
  const declarations = ['vite.config.ts', 'app/server/request-context.server.ts'];
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

test('there are four recipes for the site, and every block of code names its file', () => {
  expect(recipes.sort()).toEqual([
    'action.md',
    'download.md',
    'guarded-page.md',
    'resource-route.md',
  ]);
  expect(blocks.filter(({ title }) => !title)).toEqual([]);
  for (const recipe of recipes) {
    const titles = blocks.filter((block) => block.recipe === recipe).map(({ title }) => title);
    expect(titles, recipe).toContain(routesFile);
    expect(titles.length, recipe).toBeGreaterThan(1);
  }
});

test('no two recipes hold the same file', () => {
  const titles = files.map(({ title }) => title ?? '');
  expect(new Set(titles).size).toBe(titles.length);
});

test('every block type-checks against the app', () => {
  const found = [...files.map(({ title = '' }) => title), routesFile].map((title) => [
    title,
    complaints(title),
  ]);
  expect(found.filter(([, list]) => list?.length)).toEqual([]);
});

test('every file of a recipe has its line in the routes, and every line its file', () => {
  const named = [...routeLines.join('').matchAll(/'(routes\/[^']+)'/g)].map(
    ([, file]) => `app/${file}`,
  );
  expect(named.sort()).toEqual(files.map(({ title }) => title).sort());
});

test.each(Object.keys(withoutGuard))('%s does not type-check [W09, W13]', (name) => {
  expect(complaints(variantOf(name).title).join('\n')).toMatch(/PassedGuard|Expected 1 arguments/);
});

// From here on the recipes run.

interface Call {
  method: string | undefined;
  path: string | undefined;
}

interface Route {
  loader?: (args: RouteArguments) => unknown;
  action?: (args: RouteArguments) => unknown;
}

interface RouteArguments {
  request: Request;
  params: Record<string, string>;
  context: object;
}

const calls: Call[] = [];
let signedIn = false;

const unauthorized = { error: 'not_signed_in' };
const picture = {
  id: 'gen_1',
  prompt: 'a lighthouse',
  status: 'succeeded',
  progress: 1,
  created_at: '2026-11-21T08:00:00Z',
  output: { content_type: 'image/png', width: 512, height: 512 },
};

/** The platform's internal address, as far as the recipes use it. It answers whoever asks. */
const platform = createServer((request, response) => {
  calls.push({ method: request.method, path: request.url });
  const answer = (status: number, value: unknown) => {
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(JSON.stringify(value));
  };
  request.resume().on('end', () => {
    if (request.url === '/user') {
      if (signedIn) answer(200, { id: 'usr_ada', name: 'Ada' });
      else answer(401, unauthorized);
    } else if (request.method === 'POST')
      answer(201, { ...picture, id: 'gen_2', status: 'queued' });
    else if (request.url?.startsWith('/generations?')) answer(200, { items: [picture] });
    else answer(200, picture);
  });
});

let folder: string;
let settingBefore: string | undefined;

beforeAll(async () => {
  await new Promise<void>((resolve) => platform.listen(0, '127.0.0.1', resolve));
  settingBefore = process.env['PLATFORM_INTERNAL_URL'];
  process.env['PLATFORM_INTERNAL_URL'] =
    `http://127.0.0.1:${(platform.address() as AddressInfo).port}`;

  // Inside the repository, so that imports resolve as they would in `app/routes/`.
  const cache = path.join(root, '.cache');
  await mkdir(cache, { recursive: true });
  folder = await mkdtemp(path.join(cache, 'recipes-'));
  for (const { title = '', code } of files) {
    await writeFile(path.join(folder, path.basename(title)), code);
  }
});

afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
  if (settingBefore === undefined) delete process.env['PLATFORM_INTERNAL_URL'];
  else process.env['PLATFORM_INTERNAL_URL'] = settingBefore;
  await new Promise((resolve) => {
    platform.close(resolve);
    platform.closeAllConnections();
  });
});

beforeEach(() => {
  calls.length = 0;
  signedIn = false;
});

const json = { 'content-type': 'application/json' };

const operations = [
  { file: 'history.tsx', address: '/history', kind: 'document' },
  { file: 'export.tsx', address: '/export', kind: 'document' },
  {
    file: 'postcard.tsx',
    address: '/postcard',
    kind: 'document',
    init: { method: 'POST', body: new URLSearchParams({ place: 'Lisbon' }) },
  },
  { file: 'api.latest.ts', address: '/api/latest', kind: 'resource' },
  {
    file: 'api.again.ts',
    address: '/api/again',
    kind: 'resource',
    init: { method: 'POST', body: '{"id":"gen_1"}', headers: json },
  },
  { file: 'api.export.ts', address: '/api/export.json', kind: 'resource' },
] as const;

type Operation = (typeof operations)[number];

/** What the route answers, returned or thrown. */
async function run(operation: Operation, init?: RequestInit): Promise<unknown> {
  const route = (await import(/* @vite-ignore */ path.join(folder, operation.file))) as Route;
  const request = new Request(
    `https://site.example${operation.address}`,
    init ?? ('init' in operation ? operation.init : {}),
  );
  const { loader, action } = route;
  const handler = request.method === 'GET' ? loader : action;
  if (!handler) throw new Error(`${operation.file} has nothing for ${request.method}.`);
  const context = { kind: operation.kind, returnPath: operation.address };
  try {
    return await handler({ request, params: {}, context });
  } catch (thrown) {
    if (thrown instanceof Response) return thrown;
    throw thrown;
  }
}

const find = (file: string): Operation => {
  const operation = operations.find((one) => one.file === file);
  if (!operation) throw new Error(`No operation for ${file}.`);
  return operation;
};

test('each file of a recipe that answers requests is run', () => {
  expect(operations.map(({ file }) => `app/routes/${file}`).sort()).toEqual(
    files.map(({ title }) => title).sort(),
  );
});

test.each(operations)(
  'signed out, $file asks who it is and nothing else [W09, W19]',
  async (operation) => {
    const answer = await run(operation);
    expect(calls).toEqual([{ method: 'GET', path: '/user' }]);

    if (operation.kind === 'resource') {
      expect(answer).toMatchObject({ status: 401 });
      expect(await (answer as Response).json()).toEqual(unauthorized);
    } else if (operation.file === 'postcard.tsx') {
      expect(answer).toMatchObject({
        data: { ok: false, code: 'unauthorized' },
        init: { status: 401 },
      });
    } else {
      expect((answer as Response).headers.get('location')).toBe(
        `/__auth/login?return=${encodeURIComponent(operation.address)}`,
      );
    }
  },
);

test.each(operations)(
  'signed in, $file asks who it is before anything else [W09]',
  async (operation) => {
    signedIn = true;
    const answer = await run(operation);
    expect(calls[0]).toEqual({ method: 'GET', path: '/user' });
    expect(calls.filter((call) => call.path === '/user')).toHaveLength(1);
    if (operation.file !== 'export.tsx') expect(calls.length).toBeGreaterThan(1);
    if (answer instanceof Response) expect(answer.status).toBeLessThan(400);
  },
);

test('the page gets the finished pictures and the action leads to the studio', async () => {
  signedIn = true;
  expect(await run(find('history.tsx'))).toMatchObject({ finished: [{ id: 'gen_1' }] });
  const answer = await run(find('postcard.tsx'));
  expect((answer as Response).headers.get('location')).toBe('/studio');
});

test('the resource routes give a picture, and start one from the words of another', async () => {
  signedIn = true;
  const latest = (await run(find('api.latest.ts'))) as Response;
  expect(await latest.json()).toMatchObject({ id: 'gen_1', prompt: 'a lighthouse' });

  const again = (await run(find('api.again.ts'))) as Response;
  expect(again.status).toBe(201);
  expect(await again.json()).toMatchObject({ id: 'gen_2', status: 'queued', output: null });
});

test('the download’s type, extension and filename agree with its bytes [W27]', async () => {
  signedIn = true;
  const file = (await run(find('api.export.ts'))) as Response;
  expect(file.headers.get('content-type')).toBe('application/json');
  expect(file.headers.get('content-disposition')).toBe('attachment; filename="pictures.json"');
  expect(await file.json()).toMatchObject([{ id: 'gen_1' }]);
});

test('a method that a resource does not take is refused, with those it does', async () => {
  for (const file of ['api.latest.ts', 'api.export.ts']) {
    const posted = (await run(find(file), { method: 'POST' })) as Response;
    expect([posted.status, posted.headers.get('allow')], file).toEqual([405, 'GET, HEAD']);
  }
  const read = (await run(find('api.again.ts'), {})) as Response;
  expect([read.status, read.headers.get('allow')]).toEqual([405, 'POST']);
  expect(calls).toEqual([]);
});

test('what cannot be read is refused without an operation', async () => {
  signedIn = true;
  const place = await run(find('postcard.tsx'), {
    method: 'POST',
    body: new URLSearchParams({ place: ' ' }),
  });
  expect(place).toMatchObject({ data: { ok: false, code: null }, init: { status: 422 } });
  const id = await run(find('api.again.ts'), { method: 'POST', body: '{"id":1}', headers: json });
  expect(id).toMatchObject({ status: 422 });
  expect(calls.filter((call) => call.path !== '/user')).toEqual([]);
});
