/** Serves the files of `public/` as production does. Vite knows fewer spellings of a name, and no conditional ranges. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { ViteDevServer } from 'vite';
import { filesIn, lookupOf, serveFiles, servedFile } from '../responses/assets.ts';
import { headersFor } from '../responses/headers.ts';
import type { ServerSettings } from '../site.ts';

/** What a script imports (`?import`, `?url`) is Vite's to answer. */
const imported = /[?&](import|url)(=|&|$)/;

/** @returns a middleware that calls `next` for everything else. */
export function createPublicFiles({ config, watcher }: ViteDevServer, env: ServerSettings) {
  const folder = config.publicDir;
  const headers = { ...headersFor({ kind: 'asset', env }), 'cache-control': 'no-cache' };
  let find: ((path: string) => string | undefined) | undefined;
  watcher.on('all', (event, file) => {
    if (event !== 'change' && file.startsWith(path.normalize(folder))) find = undefined;
  });
  const serve = serveFiles((requested) => {
    find ??= lookupOf(folder ? filesIn(folder).map((name) => [name, name] as const) : []);
    const name = find(requested);
    if (name === undefined) return undefined;
    try {
      return servedFile(name, readFileSync(path.join(folder, name)), headers);
    } catch {
      // Deleted, and the watcher has not reported it yet.
      return undefined;
    }
  });
  return (...[request, response, next]: Parameters<typeof serve>): void => {
    if (imported.test(request.url ?? '')) next();
    else serve(request, response, next);
  };
}
