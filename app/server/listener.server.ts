/**
 * The road every request takes, the same in production and under Vite:
 * health, checks, the relay, static files, Remix.
 */
import { randomUUID } from 'node:crypto';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { isApiPath } from '~/frame/api-path';
import { UpstreamFailure } from '~/platform/upstream/upstream.server';
import { relayPlatformUser } from '~/platform/user-relay.server';
import { answerWithRemix, type RemixSite } from './answer-with-remix.server';
import type { SiteEnv } from '~/env.server';
import { headersFor } from './headers.server';
import { inTurn } from './in-turn.server';
import { log } from './log.server';
import { answerJson, refuse } from './refusals.server';
import { checkRequest, crossSiteRequest, isUserRelay, requestUrl } from './request-checks.server';
import { closeIfUnread, declaresBody, isAnswered } from './unread-body.server';
import { Visitor } from './visitor.server';

type Middleware = (request: IncomingMessage, response: ServerResponse, next: () => void) => void;

export interface ListenerOptions extends RemixSite {
  env: SiteEnv;
  /** Answers static files, and calls `next` for all else. */
  assets: Middleware;
  /** False once the server drains. */
  isReady: () => boolean;
}

export function createListener(options: ListenerOptions): RequestListener {
  const { env, assets, isReady } = options;
  const relay = createRelay(env);

  return inTurn((request, response) => {
    if (request.url === '/healthz') {
      answerJson(response, env, 200, { status: 'ok' });
      return;
    }
    if (request.url === '/readyz') {
      const ready = isReady();
      answerJson(response, env, ready ? 200 : 503, { status: ready ? 'ready' : 'draining' });
      return;
    }

    const requestId = randomUUID();
    const { method = 'GET', headers, httpVersion } = request;
    if (!isReady()) response.setHeader('connection', 'close');

    const fail = (error: unknown) => {
      if (response.destroyed) return;
      // The platform's failures have a line of their own already.
      if (!(error instanceof UpstreamFailure)) {
        log.error({ requestId, err: error }, 'request failed');
      }
      if (response.headersSent) breakOff(request, response);
      else refuse(response, env, requestId, { status: 500, error: 'internal_error' });
    };

    // The fast path. Of the checks below only the first can refuse a safe request for this address.
    const safe = method === 'GET' || method === 'HEAD';
    if (request.url === '/api/user' && safe && headers.host !== undefined) {
      logWhenDone(request, response, requestId, request.url);
      relay(response, requestId).catch(fail);
      return;
    }

    const url = requestUrl(request.url, env.siteOrigin);
    let isFile = false;
    logWhenDone(request, response, requestId, url?.pathname, () => isFile);
    if (!url) {
      refuse(response, env, requestId, { status: 400, error: 'malformed_address' });
      return;
    }
    const refusal = checkRequest({ method, headers, httpVersion, url }, env.siteOrigin);
    if (refusal === crossSiteRequest && isApiPath(url.pathname)) {
      answerMachine(options, { request, response, url, requestId }).catch(fail);
      return;
    }
    if (refusal) {
      refuse(response, env, requestId, refusal);
      return;
    }
    if (safe && isUserRelay(url)) {
      relay(response, requestId).catch(fail);
      return;
    }

    response.setHeader('x-request-id', requestId);
    try {
      // Vite serves each module as a file: hundreds of log lines a page.
      isFile = env.mode === 'development';
      assets(request, response, () => {
        isFile = false;
        answerWithRemix(options, { request, response, url, requestId }).catch(fail);
      });
    } catch (error) {
      fail(error);
    }
  });
}

/** Answers a request from another site, which only a route for machines takes. */
async function answerMachine(
  options: ListenerOptions,
  exchange: Parameters<typeof answerWithRemix>[1],
): Promise<void> {
  const { access } = await options.routeHandle(exchange.url);
  if (access === 'machine') await answerWithRemix(options, exchange);
  else refuse(exchange.response, options.env, exchange.requestId, crossSiteRequest);
}

/**
 * Ends a connection in the middle of an answer. In HTTP/1.0 an answer may end with its connection: only a reset
 * tells that it was not whole.
 */
function breakOff({ httpVersion, socket }: IncomingMessage, response: ServerResponse): void {
  if (httpVersion === '1.0') socket.resetAndDestroy();
  // At once: by itself that ends the stream first, which looks like the end of the answer.
  response.destroy();
}

/**
 * The relay needs nothing of Remix: answered here it is several times faster, and it can carry a redirect,
 * which Remix takes for its own. The route `api.user` relays where Remix runs without this listener.
 */
function createRelay(env: SiteEnv) {
  const table = Object.entries(headersFor({ kind: 'resource', env }))
    .filter(([name]) => name !== 'cache-control')
    .flat();
  return async (response: ServerResponse, requestId: string): Promise<void> => {
    const { status, headers, body } = await relayPlatformUser(new Visitor(response), requestId);
    if (response.destroyed) return;
    const fields = [...table, 'x-request-id', requestId];
    for (const name in headers) fields.push(name, headers[name] ?? '');
    if (body) fields.push('content-length', String(body.length));
    if (declaresBody(response.req)) closeIfUnread(response);
    response.writeHead(status, fields);
    response.end(response.req.method === 'HEAD' ? undefined : body);
  };
}

function logWhenDone(
  { method }: IncomingMessage,
  response: ServerResponse,
  requestId: string,
  path: string | undefined,
  isRoutine = () => false,
): void {
  const started = performance.now();
  response.once('close', () => {
    const status = isAnswered(response) ? response.statusCode : 'aborted';
    // Every open page asks this every half minute: its usual answers would drown the rest.
    const routine = isRoutine() || (path === '/api/user' && (status === 200 || status === 401));
    if (routine && !log.isLevelEnabled('debug')) return;
    const ms = Math.round(performance.now() - started);
    log[routine ? 'debug' : 'info']({ requestId, method, path, status, ms }, 'request');
  });
}
