/**
 * The pipeline of every request, the same in production and under Vite: health, checks, relay, static files,
 * the framework.
 */
import { randomUUID } from 'node:crypto';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { closeIfUnread, declaresBody, isFullySent, serializePipelined } from '@gatehouse/http';
import { headersFor } from '../responses/headers.ts';
import { Visitor } from '../connections/visitor.ts';
import { log } from '../log.ts';
import { respondWithRoute, type Exchange } from '../framework/respond-with-route.ts';
import type { RouteMatcher } from '../framework.ts';
import type { Relay, ServerSettings, Site } from '../site.ts';
import { sendJson, refuse } from '../requests/refusals.ts';
import { checkRequest, crossSiteRequest, decoded, requestUrl } from '../requests/request-checks.ts';

type Middleware = (request: IncomingMessage, response: ServerResponse, next: () => void) => void;

export interface ListenerOptions
  extends RouteMatcher, Omit<Site, 'settings' | 'onStart' | 'onStop'> {
  env: ServerSettings;
  /** Serves static files, and calls `next` for everything else. */
  assets: Middleware;
  /** False during shutdown. */
  isReady: () => boolean;
}

export function createListener(options: ListenerOptions): RequestListener {
  const { env, assets, isReady, isResource, isLogged, framework } = options;
  const { path: relayPath, respond: relay } = createRelay(env, options.relay);
  const site = { siteOrigin: env.siteOrigin, isResource, framework };

  return serializePipelined((request, response) => {
    if (request.url === '/healthz') {
      sendJson(response, env, 200, { status: 'ok' });
      return;
    }
    if (request.url === '/readyz') {
      const ready = isReady();
      sendJson(response, env, ready ? 200 : 503, { status: ready ? 'ready' : 'draining' });
      return;
    }

    const requestId = randomUUID();
    const { method = 'GET', headers, httpVersion } = request;
    if (!isReady()) response.setHeader('connection', 'close');

    const fail = (error: unknown) => {
      if (response.destroyed) return;
      if (!isLogged?.(error)) log.error({ requestId, err: error }, 'request failed');
      if (response.headersSent) breakOff(request, response);
      else refuse(response, env, requestId, { status: 500, error: 'internal_error' });
    };

    // Fast path. Of the checks below, only the first can reject a safe request for this address.
    const safe = method === 'GET' || method === 'HEAD';
    if (request.url === relayPath && safe && headers.host !== undefined) {
      logWhenDone(request, response, requestId, relayPath, isUsual);
      relay(response, requestId).catch(fail);
      return;
    }

    const url = requestUrl(request.url, env.siteOrigin);
    let isFile = false;
    const isRelay = url !== null && spelled(url.pathname) === relayPath;
    logWhenDone(request, response, requestId, url?.pathname, (status) =>
      isRelay ? isUsual(status) : isFile,
    );
    if (!url) {
      refuse(response, env, requestId, { status: 400, error: 'malformed_address' });
      return;
    }
    const refusal = checkRequest({ method, headers, httpVersion, url }, site);
    if (refusal === crossSiteRequest && isResource(url.pathname)) {
      handleMachineRequest(options, { request, response, url, requestId }).catch(fail);
      return;
    }
    if (refusal) {
      refuse(response, env, requestId, refusal);
      return;
    }
    if (safe && isRelay) {
      relay(response, requestId).catch(fail);
      return;
    }

    response.setHeader('x-request-id', requestId);
    try {
      // Vite serves each module as a file: hundreds of log lines per page.
      isFile = env.mode === 'development';
      assets(request, response, () => {
        isFile = false;
        respondWithRoute(options, { request, response, url, requestId }).catch(fail);
      });
    } catch (error) {
      fail(error);
    }
  });
}

/** Handles a cross-site request, which only a route with `access: 'machine'` accepts. */
async function handleMachineRequest(options: ListenerOptions, exchange: Exchange): Promise<void> {
  const route = await options.match(exchange.url);
  if (route.handle.access === 'machine') await respondWithRoute(options, exchange, route);
  else refuse(exchange.response, options.env, exchange.requestId, crossSiteRequest);
}

/**
 * Aborts a response. An HTTP/1.0 response may be delimited by the end of its connection, so only a reset
 * shows that it is incomplete.
 */
function breakOff({ httpVersion, socket }: IncomingMessage, response: ServerResponse): void {
  if (httpVersion === '1.0') socket.resetAndDestroy();
  // Explicitly: closing the socket alone would first end the stream, which looks like a complete response.
  response.destroy();
}

function createRelay(env: ServerSettings, relay?: Relay) {
  const table = Object.entries(headersFor({ kind: 'resource', env }))
    .filter(([name]) => name !== 'cache-control')
    .flat();
  const respond = async (response: ServerResponse, requestId: string): Promise<void> => {
    if (!relay) return;
    const { status, headers, body } = await relay.respond(new Visitor(response), requestId);
    if (response.destroyed) return;
    const fields = [...table, 'x-request-id', requestId];
    for (const name in headers) fields.push(name, headers[name] ?? '');
    if (body) fields.push('content-length', String(body.length));
    if (declaresBody(response.req)) closeIfUnread(response);
    response.writeHead(status, fields);
    // As a latin1 string, which keeps each byte, Node writes it together with the header: about 3 % more
    // requests a second than with a Buffer, which it would have to gather with `writev`.
    if (!body || response.req.method === 'HEAD') response.end();
    else response.end(body.toString('latin1'), 'latin1');
  };
  return { path: relay?.path, respond };
}

/** Normalises a path as the router does for matching. */
function spelled(pathname: string): string {
  return decoded(pathname).toLowerCase().replace(/\/$/, '');
}

/**
 * Every open page polls the relay every 30 seconds, so its expected statuses would flood the log.
 */
function isUsual(status: number | 'aborted'): boolean {
  return status === 200 || status === 401;
}

function logWhenDone(
  { method }: IncomingMessage,
  response: ServerResponse,
  requestId: string,
  path: string | undefined,
  isRoutine: (status: number | 'aborted') => boolean,
): void {
  const started = performance.now();
  response.once('close', () => {
    const status = isFullySent(response) ? response.statusCode : 'aborted';
    const routine = isRoutine(status);
    if (routine && !log.isLevelEnabled('debug')) return;
    const ms = Math.round(performance.now() - started);
    log[routine ? 'debug' : 'info']({ requestId, method, path, status, ms }, 'request');
  });
}
