/**
 * The site in development: the same road as in production, loaded by Vite, so that an edit of a route or
 * of the server takes effect at the next request. What owns the port is read once: this file, and what
 * `serve.server.ts` uses for itself.
 */
import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import { fileURLToPath } from 'node:url';
import type { AppLoadContext, ServerBuild } from '@remix-run/node';
import type { RouteHandle } from '~/route-handle';
import type { RemixSite } from '../remix/answer-with-remix';
import { compileErrorPage, ownPortPage } from './pages';
import { createSiteCode, listenerFile, serveFile, serverBuild } from './site-code';
import { showSourceLine } from './source-line';
import type * as env from '~/env.server';
import { headersFor } from '../answers/headers';
import type * as listener from '../listener/listener';
import type * as logging from '../log';
import type * as remixHandler from '../remix/remix-handler';
import type * as serving from '../serve';

// Vite wants a server for its WebSocket before the site's own is there.
const upgrades = createServer();
const code = await createSiteCode(upgrades, fileURLToPath(import.meta.url));
const { vite } = code;

const { serve } = await code.loadOnceItCompiles<typeof serving>(serveFile);
await serve(async (_env, server) => {
  server.on('upgrade', (...upgrade) => upgrades.emit('upgrade', ...upgrade));
  await code.attempt(warmUp);
  return { assets: vite.middlewares, remix, routeHandle };
}, listenerAfterEdits);

/** The listener as it was last edited. */
function listenerAfterEdits(options: listener.ListenerOptions): RequestListener {
  let made: { by: typeof listener.createListener; listen: RequestListener } | undefined;
  const current = async () => {
    const { createListener } = await code.load<typeof listener>(listenerFile);
    if (made?.by !== createListener) {
      const { siteEnv } = await code.load<typeof env>('/app/env.server.ts');
      const { log } = await code.load<typeof logging>('/app/server/log.server.ts');
      log.level = siteEnv().logLevel;
      made = { by: createListener, listen: createListener({ ...options, env: siteEnv() }) };
    }
    return made.listen;
  };
  return (request, response) => {
    const isDocument = request.headers.accept?.includes('text/html') ?? false;
    const answer = (status: number, body: string, nonce?: string) => {
      response.writeHead(status, {
        ...headersFor({ kind: isDocument ? 'page' : 'resource', env: options.env, nonce }),
        'content-type': isDocument ? 'text/html; charset=utf-8' : 'application/json',
      });
      response.end(body);
    };
    if (isDocument && isOwnPort(request, options.env)) {
      answer(421, ownPortPage(options.env, request.url ?? '/'));
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
        // The error page needs Vite's client.
        vite.middlewares(request, response, () => {
          const nonce = randomUUID();
          if (isDocument) answer(500, compileErrorPage(attempt.error, nonce), nonce);
          else answer(500, JSON.stringify({ error: 'internal_error' }));
        });
      });
  };
}

/** The edge names the visitor's host; whoever asks this port by its own name has come past it. */
function isOwnPort({ headers }: IncomingMessage, { siteOrigin }: env.SiteEnv): boolean {
  return (headers['x-forwarded-host'] ?? headers.host) !== new URL(siteOrigin).host;
}

async function site(): Promise<RemixSite> {
  const { createRemixHandler } = await code.load<typeof remixHandler>(
    '/app/server/remix-handler.server.ts',
  );
  return createRemixHandler(withSourceLines(await code.load(serverBuild)), 'development');
}

async function routeHandle(url: URL): Promise<RouteHandle> {
  const attempt = await code.attempt(site);
  return attempt.ok ? attempt.result.routeHandle(url) : {};
}

async function remix(request: Request, context: AppLoadContext): Promise<Response> {
  const attempt = await code.attempt(site);
  if (attempt.ok) return attempt.result.remix(request, context);
  return context.kind === 'document'
    ? new Response(compileErrorPage(attempt.error, context.nonce ?? ''), {
        status: 500,
        headers: { 'content-type': 'text/html; charset=utf-8' },
      })
    : Response.json({ error: 'internal_error' }, { status: 500 });
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
          showSourceLine(error, vite.config.root);
          module.handleError?.(error, details);
        },
      },
    },
  };
}

/**
 * What the first page needs, transformed before anybody asks for it. Not the resource routes, which no browser
 * loads: with them among the browser's modules, an edit of what they import would reload the page.
 */
async function warmUp(): Promise<void> {
  const { client } = vite.environments;
  const { assets, routes } = await code.load<ServerBuild>(serverBuild);
  const pages = Object.values(assets.routes).filter(({ id }) => routes[id]?.module.default);
  const entries = [assets.entry, ...pages];
  const urls = entries.flatMap((entry) => [entry.module, ...(entry.imports ?? [])]);
  await Promise.all(urls.map((url) => client.warmupRequest(url)));
  await client.waitForRequestsIdle();
}
