/**
 * The road every request takes, the same in production and under Vite:
 * health, checks, the relay, static files, Remix.
 */
import { randomUUID } from 'node:crypto';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { createHeaders, sendResponse } from '@remix-run/node-fetch-server';
import type { AppLoadContext } from '@remix-run/node';
import type { StopSignal } from '~/platform/upstream.server';
import { relayPlatformUser } from '~/platform/user-relay.server';
import { compress, gzipped } from './compression.server';
import type { SiteEnv } from './env.server';
import { headersFor } from './headers.server';
import { inTurn } from './in-turn.server';
import { log } from './log.server';
import { answerJson, isAnswered, refuse } from './refusals.server';
import { bodyLimit, checkRequest, isUntrustedHeader, requestUrl } from './request-checks.server';
import { createRequestContext } from './request-context.server';

type Middleware = (request: IncomingMessage, response: ServerResponse, next: () => void) => void;

export interface ListenerOptions {
  env: SiteEnv;
  /** Answers static files, and calls `next` for all else. */
  assets: Middleware;
  /** Answers everything that is no file. */
  remix: (request: Request, context: AppLoadContext) => Promise<Response>;
  /** False once the server drains. */
  isReady: () => boolean;
}

export function createListener(options: ListenerOptions): RequestListener {
  const { env, assets, isReady } = options;
  const relayHeaders = Object.entries(headersFor({ kind: 'resource', env }))
    .filter(([name]) => name !== 'cache-control')
    .flat();

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
      log.error({ requestId, err: error }, 'request failed');
      if (response.headersSent) response.destroy();
      else refuse(response, env, requestId, { status: 500, error: 'internal_error' });
    };

    // The relay needs nothing of Remix: answered here it is several times faster. The route
    // `api.user` gives the same answer to every other spelling, and where Remix runs without this
    // listener. Of the checks below only the first has a say in a safe request for this address.
    const safe = method === 'GET' || method === 'HEAD';
    if (request.url === '/api/user' && safe && headers.host !== undefined) {
      logWhenDone(request, response, requestId, request.url);
      relayPlatformUser(new Visitor(response), requestId)
        .then(({ status, headers: own, body }) => {
          if (response.destroyed) return;
          const fields = [...relayHeaders, 'x-request-id', requestId];
          for (const name in own) fields.push(name, own[name] ?? '');
          if (body) fields.push('content-length', String(body.length));
          response.writeHead(status, fields);
          response.end(method === 'HEAD' ? undefined : body);
        })
        .catch(fail);
      return;
    }

    const url = requestUrl(request.url, env.siteOrigin);
    let isFile = false;
    logWhenDone(request, response, requestId, url?.pathname, () => isFile);
    const refusal = url
      ? checkRequest({ method, headers, httpVersion, url }, env.siteOrigin)
      : { status: 400, error: 'malformed_address' };
    if (!url || refusal) {
      refuse(response, env, requestId, refusal ?? { status: 400, error: 'malformed_address' });
      return;
    }

    response.setHeader('x-request-id', requestId);
    try {
      // Vite serves each module of a page as a file: hundreds of lines that say nothing.
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

interface Exchange {
  request: IncomingMessage;
  response: ServerResponse;
  url: URL;
  requestId: string;
}

async function answerWithRemix({ env, remix }: ListenerOptions, exchange: Exchange): Promise<void> {
  const { request, response, url, requestId } = exchange;
  const { method = 'GET' } = request;
  const gone = new AbortController();
  const { signal } = gone;
  new Visitor(response).addEventListener('abort', () => {
    gone.abort();
  });

  const headers = createHeaders(request);
  for (const name of [...headers.keys()]) if (isUntrustedHeader(name)) headers.delete(name);
  // Remix compares these two, and answers 500 where they differ. The checks have compared already,
  // by better evidence.
  headers.set('host', url.host);
  if (headers.has('origin')) headers.set('origin', env.siteOrigin);

  const init: RequestInit = { method, headers, signal };
  if (method !== 'GET' && method !== 'HEAD') {
    const body = await readBody(request);
    if (!body) {
      refuse(response, env, requestId, { status: 413, error: 'body_too_large' });
      return;
    }
    init.body = body;
  }

  const nonce = randomUUID();
  let page: Buffer | undefined;
  const context: AppLoadContext = createRequestContext(url, { signal, requestId, nonce });
  context.takePage = (whole) => (page = whole);
  const answer = settable(await remix(new Request(url, init), context));
  if (signal.aborted) return;

  const kind = context.kind === 'resource' ? 'resource' : 'page';
  const { styleHash } = context;
  for (const [name, value] of Object.entries(headersFor({ kind, env, nonce, styleHash }))) {
    // A resource may say how it is cached; a page, which holds user state, may not.
    if (kind === 'resource' && name === 'cache-control' && answer.headers.has(name)) continue;
    answer.headers.set(name, value);
  }
  if (page && !answer.body) {
    sendPage(exchange, answer, page);
    return;
  }
  compress(request, response);
  await sendResponse(response, answer);
}

/** A page in one piece, which needs no stream: neither the web's nor a compressor's. */
function sendPage({ request, response }: Exchange, answer: Response, page: Buffer): void {
  const { headers } = answer;
  headers.append('vary', 'accept-encoding');
  const small = gzipped(page, request.headers['accept-encoding']);
  if (small) headers.set('content-encoding', 'gzip');
  headers.set('content-length', String((small ?? page).length));
  response.writeHead(answer.status, [...headers].flat());
  response.end(request.method === 'HEAD' ? undefined : (small ?? page));
}

/** A route may give a `Response` whose headers cannot be set, such as one from `fetch`. */
function settable(answer: Response): Response {
  try {
    answer.headers.set('x-content-type-options', 'nosniff');
    return answer;
  } catch {
    return new Response(answer.body, answer);
  }
}

/** The whole body, or null when it is larger than the limit. A chunked body tells no length ahead. */
async function readBody(request: IncomingMessage): Promise<Buffer<ArrayBuffer> | null> {
  const chunks: Buffer[] = [];
  let size = 0;
  // Leaving the loop must not destroy the connection: the refusal still has to go out over it.
  const body = request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>;
  for await (const chunk of body) {
    size += chunk.length;
    if (size > bodyLimit) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, size);
}

/**
 * Aborts when the visitor goes away. An `AbortController` for each request costs ten times this. A class,
 * since a literal with a getter gets a hidden class of its own each time, which keeps what it closes over
 * until the old generation is collected.
 */
class Visitor implements StopSignal {
  readonly #response: ServerResponse;

  constructor(response: ServerResponse) {
    this.#response = response;
  }

  get aborted(): boolean {
    return this.#response.destroyed && !this.#response.writableFinished;
  }

  addEventListener(_type: 'abort', listener: () => void): void {
    this.#response.once('close', () => {
      if (!this.#response.writableFinished) listener();
    });
  }

  removeEventListener(): void {
    // The listener goes with the response, and does nothing once its call is over.
  }
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
