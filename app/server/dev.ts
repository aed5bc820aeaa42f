/**
 * The site in development: the same road as in production, loaded by Vite, so that an edit of a route or
 * of the server takes effect at the next request. What owns the port is loaded once: this file, and what
 * `serve.server.ts` uses for itself.
 */
import { randomUUID } from 'node:crypto';
import {
  createServer as createHttpServer,
  type IncomingMessage,
  type RequestListener,
} from 'node:http';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { AppLoadContext, ServerBuild } from '@remix-run/node';
import {
  buildErrorMessage,
  createServer,
  type EnvironmentModuleNode,
  type ErrorPayload,
  type Plugin,
  type Rollup,
} from 'vite';
import { compileErrorPage, ownPortPage } from './development/pages';
import { showSourceLine } from './development/source-line';
import type * as env from './env.server';
import { headersFor } from './headers.server';
import type * as listener from './listener.server';
import type * as logging from './log.server';
import type * as remixHandler from './remix-handler.server';
import type * as serving from './serve.server';

const serverBuild = 'virtual:remix/server-build';
const inServer = (name: string) => `/app/server/${name}.server.ts`;

/** What was last told of code that does not compile; undefined while all does. */
let told: string | undefined;

// Vite wants a server for its WebSocket before the site's own is there.
const upgrades = createHttpServer();
const vite = await createServer({
  appType: 'custom',
  plugins: [followEdits()],
  server: { middlewareMode: true, hmr: { server: upgrades } },
});
const { root } = vite.config;

const { serve } = await loadOnceItCompiles<typeof serving>(inServer('serve'));
await serve(async (_env, server) => {
  server.on('upgrade', (...upgrade) => upgrades.emit('upgrade', ...upgrade));
  await warmUp();
  return { assets: vite.middlewares, remix };
}, listenerAfterEdits);

/** The listener as it was last edited. */
function listenerAfterEdits(options: listener.ListenerOptions): RequestListener {
  let made: { by: typeof listener.createListener; listen: RequestListener } | undefined;
  const current = async () => {
    const { createListener } = await load<typeof listener>(inServer('listener'));
    if (made?.by !== createListener) {
      const { siteEnv } = await load<typeof env>(inServer('env'));
      const { log } = await load<typeof logging>(inServer('log'));
      log.level = siteEnv().logLevel;
      made = { by: createListener, listen: createListener({ ...options, env: siteEnv() }) };
    }
    return made.listen;
  };
  return (request, response) => {
    const document = request.headers.accept?.includes('text/html') ?? false;
    const answer = (status: number, body: string, nonce?: string) => {
      const kind = document ? 'page' : 'resource';
      response.writeHead(status, {
        ...headersFor({ kind, env: options.env, nonce }),
        'content-type': document ? 'text/html; charset=utf-8' : 'application/json',
      });
      response.end(body);
    };
    if (document && isOwnPort(request, options.env)) {
      answer(421, ownPortPage(options.env, request.url ?? '/'));
      return;
    }
    current()
      .then((listen) => {
        listen(request, response);
      })
      .catch((thrown: unknown) => {
        const error = tell(thrown);
        // The error page needs Vite's client.
        vite.middlewares(request, response, () => {
          const nonce = randomUUID();
          if (document) answer(500, compileErrorPage(error, nonce), nonce);
          else answer(500, JSON.stringify({ error: 'internal_error' }));
        });
      });
  };
}

/** The edge names the visitor's host; whoever asks this port by its own name has come past it. */
function isOwnPort({ headers }: IncomingMessage, { siteOrigin }: env.SiteEnv): boolean {
  return (headers['x-forwarded-host'] ?? headers.host) !== new URL(siteOrigin).host;
}

async function remix(request: Request, context: AppLoadContext): Promise<Response> {
  try {
    // Both are remembered until a file of theirs is edited.
    const { createRemixHandler } = await load<typeof remixHandler>(inServer('remix-handler'));
    const build = await load<ServerBuild>(serverBuild);
    return await createRemixHandler(withSourceLines(build), 'development')(request, context);
  } catch (thrown) {
    const error = tell(thrown);
    return context.kind === 'document'
      ? new Response(compileErrorPage(error, context.nonce ?? ''), {
          status: 500,
          headers: { 'content-type': 'text/html; charset=utf-8' },
        })
      : Response.json({ error: 'internal_error' }, { status: 500 });
  }
}

/** Remix tells `handleError` of an error before it shows it. */
function withSourceLines(build: ServerBuild): ServerBuild {
  const { module } = build.entry;
  return {
    ...build,
    entry: {
      module: {
        ...module,
        handleError(error, details) {
          showSourceLine(error, root);
          module.handleError?.(error, details);
        },
      },
    },
  };
}

/** What the first page needs, transformed before anybody asks for it. */
async function warmUp(): Promise<void> {
  const { client } = vite.environments;
  try {
    const { assets } = await load<ServerBuild>(serverBuild);
    const entries = [assets.entry, ...Object.values(assets.routes)];
    const urls = entries.flatMap((entry) => [entry?.module ?? [], entry?.imports ?? []].flat());
    await Promise.all(urls.map((url) => client.warmupRequest(url)));
    await client.waitForRequestsIdle();
  } catch (error) {
    tell(error);
  }
}

function load<Module>(file: string): Promise<Module> {
  return vite.ssrLoadModule(file) as Promise<Module>;
}

async function loadOnceItCompiles<Module>(file: string): Promise<Module> {
  for (;;) {
    try {
      return await load<Module>(file);
    } catch (error) {
      tell(error);
      await new Promise((resolve) => vite.watcher.once('change', resolve));
    }
  }
}

/** Says once, in the terminal and on the pages that are open, that code does not compile. */
function tell(thrown: unknown): ErrorPayload['err'] {
  const error = (
    thrown instanceof Error ? thrown : new Error(String(thrown))
  ) as Rollup.RollupError;
  const { message, stack = '', id, frame, plugin, loc } = error;
  // As JSON for the browser, without what is not there.
  const err = JSON.parse(
    JSON.stringify({ message, stack, id, frame, plugin, loc }),
  ) as ErrorPayload['err'];
  if (told !== message) {
    told = message;
    vite.config.logger.error(buildErrorMessage(error), { timestamp: true, error });
    vite.environments.client.hot.send({ type: 'error', err });
  }
  return err;
}

/** Brings pages back when code compiles again, and says which edits wait for a restart. */
function followEdits(): Plugin {
  return {
    name: 'gatehouse:follow-edits',
    enforce: 'pre',
    hotUpdate({ file }) {
      if (this.environment.name !== 'ssr') return;
      if (told !== undefined) void lookAgain();
      if (isLoadedOnce(file)) {
        const name = path.relative(root, file);
        vite.config.logger.warn(`${name} is read at the start: restart to use the edit.`, {
          timestamp: true,
        });
      }
    },
  };
}

async function lookAgain(): Promise<void> {
  try {
    await load(inServer('listener'));
    await load(serverBuild);
    told = undefined;
    vite.environments.client.hot.send({ type: 'full-reload', path: '*' });
  } catch (error) {
    tell(error);
  }
}

/** What `serve.server.ts` uses and the listener does not. */
function isLoadedOnce(file: string): boolean {
  const { moduleGraph } = vite.environments.ssr;
  const reached = (name: string, files = new Set<string>()) => {
    const visit = ({ file, importedModules }: EnvironmentModuleNode) => {
      if (file === null || files.has(file)) return;
      files.add(file);
      for (const module of importedModules) visit(module);
    };
    for (const module of moduleGraph.getModulesByFile(path.join(root, name)) ?? []) visit(module);
    return files;
  };
  return (
    file === fileURLToPath(import.meta.url) ||
    (reached(inServer('serve')).has(file) && !reached(inServer('listener')).has(file))
  );
}
