/**
 * Loads the site's code through Vite in development. Reports compile errors in the terminal and on open
 * pages, and reloads those once the code compiles again.
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
import type { Site } from '../site.ts';
import { compileErrorEvent } from './pages.ts';

/** Its extension is that of this file: `.js` in an installed package. */
const moduleFile = (name: string) =>
  normalizePath(
    fileURLToPath(new URL(`../${name}${path.extname(import.meta.url)}`, import.meta.url)),
  );

/** The folder of this file. */
const development = normalizePath(fileURLToPath(new URL('./', import.meta.url)));

/** The server's modules that Vite loads. */
export const files = {
  serve: moduleFile('serve'),
  listener: moduleFile('listener/listener'),
  log: moduleFile('log'),
};

/** Milliseconds of debounce: editors save in several steps, and Git several files. */
const settledAfter = 50;

/** Vite restarted during a load, before or after a module was requested. */
const restarting = /module runner has been closed|transport was disconnected/;

/** An error as it is sent to browsers. */
export type ReportedError = ErrorPayload['err'];

export interface SiteCode {
  vite: ViteDevServer;
  /** Loads a module, cached until it or its imports are edited. */
  load<Module>(file: string): Promise<Module>;
  loadSite(): Promise<Site>;
  /** What the framework's server build exports. */
  loadBuild(): Promise<unknown>;
  /** Retries work that needs the code after every edit until it succeeds. */
  onceItCompiles<Result>(work: () => Promise<Result>): Promise<Result>;
  /**
   * Runs work that needs the code, and repeats it if the code was edited before it failed. Any other error is
   * reported in the terminal and on open pages, and returned.
   */
  attempt<Result>(
    work: () => Promise<Result>,
  ): Promise<{ ok: true; result: Result } | { ok: false; error: ReportedError }>;
}

/**
 * @param upgrades receives the upgrade requests for Vite's WebSocket.
 * @param program absolute path of the program, which is loaded only at startup.
 * @param siteFile the module with the site's options, as a path from the root.
 */
export async function createSiteCode(
  upgrades: Server,
  program: string,
  siteFile: string,
): Promise<SiteCode> {
  /** The last reported error, until everything compiles again. */
  let reported: ReportedError | undefined;
  /** The number of edits so far. */
  let edits = 0;
  let onEdit = (): void => undefined;
  let settling: NodeJS.Timeout | undefined;

  const followEdits: Plugin = {
    name: 'site:follow-edits',
    enforce: 'pre',
    configureServer({ environments, ws }) {
      // For pages that connect after the error was reported.
      ws.on('connection', () => {
        if (reported) environments.client.hot.send({ type: 'error', err: reported });
      });
      environments.client.hot.on(compileErrorEvent, (_data: unknown, client) => {
        if (!reported) client.send({ type: 'full-reload', path: '*' });
      });
    },
    /**
     * The route config may name a file that does not exist yet. If it were left unresolved, Vite's module graph would
     * permanently use its URL as the module's id, which differs from the id of the file once it exists.
     */
    resolveId: {
      order: 'post',
      handler: (id) => (id.startsWith('/app/') ? vite.config.root + id : undefined),
    },
    hotUpdate({ file, modules }) {
      if (this.environment.name !== 'ssr') return;
      edits++;
      onEdit();
      // Without waiting for a request, so that open pages are updated.
      if (reported || modules.length > 0) {
        clearTimeout(settling);
        settling = setTimeout(() => void lookAgain(), settledAfter);
      }
      const isReadOnce =
        file === normalizePath(program) ||
        file.startsWith(development) ||
        (reaches(files.serve, file) && !rest.some((from) => reaches(from, file)));
      if (isReadOnce) {
        const name = path.relative(vite.config.root, file);
        vite.config.logger.warn(`${name} is only loaded at startup: restart to apply the edit.`, {
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
      // chokidar reports only the first of two changes within 50 ms. If an editor truncates a file and then writes it,
      // the framework would otherwise keep the empty one.
      watch: { awaitWriteFinish: { stabilityThreshold: settledAfter, pollInterval: 10 } },
    },
  });

  const rest = [files.listener, vite.config.root + siteFile];
  const reaches = (from: string, file: string) => filesReached(from, vite).has(file);
  const load = <Module>(file: string) => vite.ssrLoadModule(file) as Promise<Module>;
  const loadSite = async () => (await load<{ site: Site }>(siteFile)).site;
  const loadBuild = async () => load((await loadSite()).framework.serverBuild);

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
   * Vite caches a module's error until the module or one of its imports is edited. A load that began before
   * an edit and failed after it would leave a stale error.
   */
  function forgetErrors(): void {
    const { moduleGraph } = vite.environments.ssr;
    for (const module of moduleGraph.idToModuleMap.values()) {
      if (module.ssrError) moduleGraph.invalidateModule(module);
    }
  }

  function tell(thrown: unknown): ReportedError {
    const error = thrown instanceof Error ? thrown : new Error(String(thrown));
    const { message, stack = '', id, frame, plugin, loc } = error as Rollup.RollupError;
    // JSON for the browser, omitting undefined fields.
    const err = JSON.parse(
      JSON.stringify({ message, stack, id, frame, plugin, loc }),
    ) as ReportedError;
    // Vite has already logged most errors.
    const { logger } = vite.config;
    if (!logger.hasErrorLogged(error)) {
      logger.error(buildErrorMessage(error), { timestamp: true, error });
    }
    if (reported?.message !== message) vite.environments.client.hot.send({ type: 'error', err });
    reported = err;
    return err;
  }

  async function lookAgain(): Promise<void> {
    forgetErrors();
    const { ok } = await attempt(() => Promise.all([load(files.listener), loadBuild()]));
    if (!ok || !reported) return;
    reported = undefined;
    vite.environments.client.hot.send({ type: 'full-reload', path: '*' });
  }

  async function onceItCompiles<Result>(work: () => Promise<Result>): Promise<Result> {
    for (;;) {
      // Not the watcher's own event, which precedes Vite's invalidation of the module.
      const edited = new Promise<void>((resolve) => (onEdit = resolve));
      const done = await attempt(work);
      if (done.ok) {
        reported = undefined;
        return done.result;
      }
      await edited;
    }
  }

  return { vite, load, loadSite, loadBuild, onceItCompiles, attempt };
}

/** The files that a module imports, directly or indirectly, including itself. */
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
