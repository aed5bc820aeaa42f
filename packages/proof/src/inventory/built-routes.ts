/**
 * The routes of a site on Remix or React Router, read from its server build: it contains every route with its module's exports, whichever
 * routing convention defined it.
 */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile, readdir } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { z } from 'zod';
import type { AuthMode } from '@gatehouse/simulator';
import type { Handler, Inventory, Route } from './route.ts';
import { readCode, type Code } from './sdk-reach.ts';

const describeBuild = fileURLToPath(new URL('describe-build.mjs', import.meta.url));

const builtRouteSchema = z.object({
  id: z.string(),
  parentId: z.string().optional(),
  path: z.string().optional(),
  exports: z.array(z.string()),
  access: z.enum(['platform', 'account', 'both', 'none', 'machine']).optional(),
  role: z.string().optional(),
  isPublic: z.boolean(),
  showsPublished: z.boolean(),
});

const describedSchema = z.object({ routes: z.array(builtRouteSchema), isRemix: z.boolean() });

type BuiltRoute = z.infer<typeof builtRouteSchema> & Pick<Route, 'access'>;

/**
 * @param root the repository's folder, with the build in `build/`.
 * @param env settings that the site's modules may read on import.
 * @param auth decides which access a route without a `handle` has.
 * @throws {Error} one sentence when there is no build or importing it fails.
 */
export async function readBuiltRoutes(
  root: string,
  env: NodeJS.ProcessEnv,
  auth: AuthMode = 'platform',
): Promise<Inventory> {
  const folder = path.join(root, 'build/server');
  const file = path.join(folder, 'index.js');
  if (!existsSync(file)) throw new Error('The site is not built: run `npm run build` first.');
  const described = await promisify(execFile)(process.execPath, [describeBuild, file], {
    cwd: root,
    env,
    maxBuffer: 64 * 1024 * 1024,
  }).catch((error: unknown) => {
    const { stderr = '' } = error as { stderr?: string };
    throw new Error(`Importing the server build failed:\n${stderr}`, { cause: error });
  });
  const standard = auth === 'in-app' ? 'account' : 'platform';
  const { routes, isRemix } = describedSchema.parse(JSON.parse(described.stdout));
  const built = routes.map(({ access = standard, ...route }): BuiltRoute => ({ ...route, access }));
  const code = readCode(await scriptsIn(folder));
  return {
    routes: built.map((route) => routeOf(route, built, code, root)),
    homeData: isRemix ? '/_root.data' : '/_.data',
    clientFolders: [path.join(root, 'build/client')],
  };
}

function routeOf(route: BuiltRoute, all: BuiltRoute[], code: Code, root: string): Route {
  const has = (name: string) => route.exports.includes(name);
  const handler = (name: 'loader' | 'action'): Handler | null =>
    has(name) ? { reachesSdk: code.reachesSdk(route.id, name) } : null;
  return {
    id: route.id,
    path: pathOf(route, all),
    file: fileOf(route.id, root),
    kind: has('default') ? 'page' : 'resource',
    isLayout: all.some(({ parentId }) => parentId === route.id),
    loader: handler('loader'),
    action: handler('action'),
    access: route.access,
    role: route.role,
    isPublic: route.isPublic,
    showsPublished: route.showsPublished,
  };
}

function pathOf(route: BuiltRoute, all: BuiltRoute[]): string {
  const parts: string[] = [];
  for (let at: BuiltRoute | undefined = route; at;) {
    if (at.path) parts.unshift(at.path);
    const { parentId }: BuiltRoute = at;
    at = all.find(({ id }) => id === parentId);
  }
  return `/${parts.join('/')}`.replaceAll(/\/{2,}/g, '/');
}

/** A route's id is its file's path without the extension. */
function fileOf(id: string, root: string): string {
  const endings = ['.tsx', '.ts', '.jsx', '.js', '.mdx'];
  const found = endings.find((ending) => existsSync(path.join(root, 'app', id + ending)));
  return `app/${id}${found ?? ''}`;
}

async function scriptsIn(folder: string): Promise<Map<string, string>> {
  const names = await readdir(folder, { recursive: true });
  const scripts = names.filter((name) => name.endsWith('.js'));
  return new Map(
    await Promise.all(
      scripts.map(
        async (name) =>
          [path.join(folder, name), await readFile(path.join(folder, name), 'utf8')] as const,
      ),
    ),
  );
}
