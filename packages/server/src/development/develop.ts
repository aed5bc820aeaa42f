/**
 * The development server: the same pipeline as in production, loaded through Vite, so that edits to routes
 * and the server take effect on the next request. Only what owns the port is loaded once: the program itself,
 * this folder, and `serve.ts` with its own imports.
 */
import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import { fileURLToPath } from 'node:url';
import { offersWebSocket } from '@gatehouse/http';
import { headersFor } from '../responses/headers.ts';
import type { MatchedRoute } from '../framework.ts';
import type * as listener from '../listener/listener.ts';
import type * as logging from '../log.ts';
import type * as serving from '../serve.ts';
import type { ServerSettings, Site } from '../site.ts';
import { compileErrorPage, ownPortPage } from './pages.ts';
import { createPublicFiles } from './public-files.ts';
import { createSiteCode, files, type SiteCode } from './site-code.ts';
import { showSourceLine } from './source-line.ts';

export interface DevelopedSite {
  /** The `import.meta.url` of the program that calls this. */
  program: string;
  /** The module that exports the `site`, as a path from Vite's root: `/app/server/site.ts`. */
  site: string;
}

/** Runs the site under Vite until SIGTERM or SIGINT. */
export async function develop({ program, site: siteFile }: DevelopedSite): Promise<void> {
  // Vite needs a server for its WebSocket before the site's own exists.
  const upgrades = createServer();
  const code = await createSiteCode(upgrades, fileURLToPath(program), siteFile);

  let warm: object | undefined;
  /**
   * Repeated after Vite restarts: until its module graph is warm, an edit of a page's import would reload all
   * pages.
   */
  const keepWarm = async () => {
    const { client } = code.vite.environments;
    if (warm === client) return;
    warm = client;
    await code.attempt(() => warmUp(code));
  };

  const [{ serve }, site] = await code.onceItCompiles(() =>
    Promise.all([code.load<typeof serving>(files.serve), code.loadSite()]),
  );
  await serve(
    site,
    async (settings) => {
      await keepWarm();
      const publicFiles = createPublicFiles(code.vite, settings);
      return {
        assets: (request, response, next) => {
          publicFiles(request, response, () => {
            code.vite.middlewares(request, response, next);
          });
        },
        match: (url) => matchAsEdited(code, url),
        upgrades: {
          accepts: isForVite,
          handle: (...upgrade) => upgrades.emit('upgrade', ...upgrade),
        },
      };
    },
    (options) => {
      const listen = listenAsEdited(code, options);
      return (request, response) => {
        void keepWarm();
        listen(request, response);
      };
    },
  );
}

/** Vite leaves all other WebSockets unanswered; in production, there are none. */
function isForVite(request: IncomingMessage): boolean {
  const protocol = request.headers['sec-websocket-protocol'] ?? '';
  return offersWebSocket(request) && protocol.startsWith('vite-');
}

/** The listener with the latest edits of itself and of the site's options. */
function listenAsEdited(code: SiteCode, options: listener.ListenerOptions): RequestListener {
  let made: { by: typeof listener.createListener; of: Site; listen: RequestListener } | undefined;
  const current = async () => {
    const { createListener } = await code.load<typeof listener>(files.listener);
    const site = await code.loadSite();
    if (made?.by !== createListener || made.of !== site) {
      const { configureLog } = await code.load<typeof logging>(files.log);
      const env = site.settings();
      configureLog(env);
      const listen = createListener({ ...options, ...site, env });
      made = { by: createListener, of: site, listen };
    }
    return made.listen;
  };
  return (request, response) => {
    const isDocument = request.headers.accept?.includes('text/html') ?? false;
    const respond = (status: number, body: string, nonce?: string) => {
      response.writeHead(status, {
        ...headersFor({ kind: isDocument ? 'page' : 'resource', env: options.env, nonce }),
        'content-type': isDocument ? 'text/html; charset=utf-8' : 'application/json',
      });
      response.end(body);
    };
    if (isDocument && isOwnPort(request, options.env)) {
      respond(421, ownPortPage(options.env, request.url ?? '/'));
      return;
    }
    void code
      .attempt(current)
      .then((loaded) => {
        if (!loaded.ok) return loaded;
        return code.attempt(() => {
          loaded.result(request, response);
          return Promise.resolve();
        });
      })
      .then((attempt) => {
        if (attempt.ok) return;
        // The error page loads Vite's client.
        code.vite.middlewares(request, response, () => {
          const nonce = randomUUID();
          if (isDocument) respond(500, compileErrorPage(attempt.error, nonce), nonce);
          else respond(500, JSON.stringify({ error: 'internal_error' }));
        });
      });
  };
}

/** The edge forwards the visitor's host; a request with another host has bypassed it. */
function isOwnPort({ headers }: IncomingMessage, { siteOrigin }: ServerSettings): boolean {
  return (headers['x-forwarded-host'] ?? headers.host) !== new URL(siteOrigin).host;
}

/** The matching route with the latest edits, or one that responds with the compile error. */
async function matchAsEdited(code: SiteCode, url: URL): Promise<MatchedRoute> {
  const attempt = await code.attempt(async () => {
    const site = await code.loadSite();
    const build = site.framework.withErrorHook(await code.loadBuild(), (error) => {
      showSourceLine(error, code.vite.config.root);
    });
    return site.framework.createHandler(build, 'development', site);
  });
  if (attempt.ok) return attempt.result.match(url);
  return {
    handle: {},
    respond: (_request, context) =>
      Promise.resolve(
        context.kind === 'document'
          ? new Response(compileErrorPage(attempt.error, context.nonce ?? ''), {
              status: 500,
              headers: { 'content-type': 'text/html; charset=utf-8' },
            })
          : Response.json({ error: 'internal_error' }, { status: 500 }),
      ),
  };
}

/**
 * Transforms the modules of all pages ahead of the first request. Resource routes are excluded, because no
 * browser loads them: in the browser's module graph, an edit of their imports would reload the page.
 */
async function warmUp(code: SiteCode): Promise<void> {
  const { client } = code.vite.environments;
  const { framework } = await code.loadSite();
  const urls = framework.browserModulesOf(await code.loadBuild());
  await Promise.all(urls.map((url) => client.warmupRequest(url)));
  await client.waitForRequestsIdle();
}
