/**
 * The site's code as Vite loads it in development: told where it does not compile, and brought back to the
 * pages that are open when it does again.
 */
import type { Server } from 'node:http';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import {
  buildErrorMessage,
  createServer,
  normalizePath,
  type EnvironmentModuleNode,
  type ErrorPayload,
  type Plugin,
  type Rollup,
  type ViteDevServer,
} from 'vite';
import { compileErrorEvent } from './pages';

export const serverBuild = 'virtual:remix/server-build';

const sourceFile = (name: string) =>
  normalizePath(fileURLToPath(new URL(`../${name}`, import.meta.url)));

/** What of the server is loaded by Vite. */
export const files = {
  serve: sourceFile('serve.ts'),
  listener: sourceFile('listener/listener.ts'),
  log: sourceFile('log.ts'),
  remixHandler: sourceFile('remix/remix-handler.ts'),
};

/** Milliseconds: editors save in several steps, and Git several files. */
const settledAfter = 50;

/** Vite restarts itself, and a load met the server that goes: before it asked for a module, or while it waited. */
const restarting = /module runner has been closed|transport was disconnected/;

/** What a browser is told of an error. */
export type ToldError = ErrorPayload['err'];

export interface SiteCode {
  vite: ViteDevServer;
  /** A module, remembered until it or what it imports is edited. */
  load<Module>(file: string): Promise<Module>;
  /** The result of work that needs the code, begun again after each edit for as long as it fails. */
  onceItCompiles<Result>(work: () => Promise<Result>): Promise<Result>;
  /**
   * Does what needs the code, and does it again where the code was edited while it failed. Otherwise an error
   * is told in the terminal and on open pages, and returned.
   */
  attempt<Result>(
    work: () => Promise<Result>,
  ): Promise<{ ok: true; result: Result } | { ok: false; error: ToldError }>;
}

/**
 * @param upgrades gets the upgrade requests that are for Vite's WebSocket.
 * @param program absolute path of the program, which is read at its start alone.
 * @param siteFile the module of the site's options, as a path from the root.
 */
export async function createSiteCode(
  upgrades: Server,
  program: string,
  siteFile: string,
): Promise<SiteCode> {
  /** What was told last, until all compiles again. */
  let told: ToldError | undefined;
  /** How many there were. */
  let edits = 0;
  let onEdit = (): void => undefined;
  let settling: NodeJS.Timeout | undefined;

  const followEdits: Plugin = {
    name: 'site:follow-edits',
    enforce: 'pre',
    configureServer({ environments, ws }) {
      // Told before they were connected, they would not know.
      ws.on('connection', () => {
        if (told) environments.client.hot.send({ type: 'error', err: told });
      });
      environments.client.hot.on(compileErrorEvent, (_data: unknown, client) => {
        if (!told) client.send({ type: 'full-reload', path: '*' });
      });
    },
    /**
     * The routes table may name a file before it exists. Left unresolved, its URL would become the module's id in
     * Vite's graph, for good: the id that the file has once it is there is another one.
     */
    resolveId: {
      order: 'post',
      handler: (id) => (id.startsWith('/app/') ? vite.config.root + id : undefined),
    },
    hotUpdate({ file, modules }) {
      if (this.environment.name !== 'ssr') return;
      edits++;
      onEdit();
      // Without waiting for a request: the open page learns of it, whatever it asks.
      if (told || modules.length > 0) {
        clearTimeout(settling);
        settling = setTimeout(() => void lookAgain(), settledAfter);
      }
      const isReadOnce =
        file === normalizePath(program) ||
        file.startsWith(sourceFile('development/')) ||
        (reaches(files.serve, file) && !rest.some((from) => reaches(from, file)));
      if (isReadOnce) {
        const name = path.relative(vite.config.root, file);
        vite.config.logger.warn(`${name} is read at the start: restart to use the edit.`, {
          timestamp: true,
        });
      }
    },
  };

  const vite = await createServer({
    appType: 'custom',
    plugins: [followEdits],
    server: {
      middlewareMode: true,
      hmr: { server: upgrades },
      // Of two changes within 50 ms chokidar reports the first alone. An editor that truncates a file and then writes
      // it would leave Remix with the empty one.
      watch: { awaitWriteFinish: { stabilityThreshold: settledAfter, pollInterval: 10 } },
    },
  });

  const rest = [files.listener, vite.config.root + siteFile];
  const reaches = (from: string, file: string) => filesReached(from, vite).has(file);
  const load = <Module>(file: string) => vite.ssrLoadModule(file) as Promise<Module>;

  const attempt: SiteCode['attempt'] = async (work) => {
    for (;;) {
      const begun = edits;
      try {
        return { ok: true, result: await work() };
      } catch (thrown) {
        if (restarting.test(String(thrown))) await pause(settledAfter);
        else if (edits === begun) return { ok: false, error: tell(thrown) };
        forgetErrors();
      }
    }
  };

  /**
   * Vite keeps a module's error until the module is edited or what it imports. A load that began before an
   * edit fails after it, and its error would then stand for the code as edited.
   */
  function forgetErrors(): void {
    const { moduleGraph } = vite.environments.ssr;
    for (const module of moduleGraph.idToModuleMap.values()) {
      if (module.ssrError) moduleGraph.invalidateModule(module);
    }
  }

  function tell(thrown: unknown): ToldError {
    const error = thrown instanceof Error ? thrown : new Error(String(thrown));
    const { message, stack = '', id, frame, plugin, loc } = error as Rollup.RollupError;
    // As JSON for the browser, without what is not there.
    const err = JSON.parse(JSON.stringify({ message, stack, id, frame, plugin, loc })) as ToldError;
    // Vite has told of most.
    const { logger } = vite.config;
    if (!logger.hasErrorLogged(error)) {
      logger.error(buildErrorMessage(error), { timestamp: true, error });
    }
    if (told?.message !== message) vite.environments.client.hot.send({ type: 'error', err });
    told = err;
    return err;
  }

  async function lookAgain(): Promise<void> {
    forgetErrors();
    const { ok } = await attempt(() =>
      Promise.all([load(files.listener), load(siteFile), load(serverBuild)]),
    );
    if (!ok || !told) return;
    told = undefined;
    vite.environments.client.hot.send({ type: 'full-reload', path: '*' });
  }

  async function onceItCompiles<Result>(work: () => Promise<Result>): Promise<Result> {
    for (;;) {
      // Not the watcher's event, which comes before Vite forgets what it knew of the file.
      const edited = new Promise<void>((resolve) => (onEdit = resolve));
      const done = await attempt(work);
      if (done.ok) {
        told = undefined;
        return done.result;
      }
      await edited;
    }
  }

  return { vite, load, onceItCompiles, attempt };
}

/** The files that a module loads, itself among them. */
function filesReached(from: string, { environments }: ViteDevServer): Set<string> {
  const { moduleGraph } = environments.ssr;
  const files = new Set<string>();
  const visit = ({ file, importedModules }: EnvironmentModuleNode) => {
    if (file === null || files.has(file)) return;
    files.add(file);
    for (const module of importedModules) visit(module);
  };
  for (const module of moduleGraph.getModulesByFile(from) ?? []) visit(module);
  return files;
}
