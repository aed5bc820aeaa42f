/** Turns Node's request into one for Remix, and writes the `Response` that comes back. */
import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createHeaders, sendResponse } from '@remix-run/node-fetch-server';
import type { AppLoadContext } from '@remix-run/node';
import { hasAskedPlatform } from '~/platform/platform.server';
import { defaultBodyLimit, type RouteHandle } from '~/route-handle';
import { compress, gzipped } from './compression.server';
import type { SiteEnv } from '~/env.server';
import { headersFor } from './headers.server';
import { refuse } from './refusals.server';
import {
  bodyTooLarge,
  createRequestBody,
  isTooLarge,
  type RequestBody,
} from './request-body.server';
import { isUntrustedHeader } from './request-checks.server';
import { createRequestContext } from './request-context.server';
import { closeIfUnread, declaresBody } from './unread-body.server';
import { Visitor } from './visitor.server';

export interface RemixSite {
  /** Answers every request that is not for a file. */
  remix: (request: Request, context: AppLoadContext) => Promise<Response>;
  /** What the routes at an address say of themselves. */
  routeHandle: (url: URL) => RouteHandle | Promise<RouteHandle>;
}

export interface Exchange {
  request: IncomingMessage;
  response: ServerResponse;
  url: URL;
  requestId: string;
}

export async function answerWithRemix(
  site: RemixSite & { env: SiteEnv },
  exchange: Exchange,
): Promise<void> {
  const { env } = site;
  const { request, response, url, requestId } = exchange;
  const limit = await bodyLimitOf(site, exchange);
  if (isTooLarge(request, limit)) {
    refuse(response, env, requestId, bodyTooLarge);
    return;
  }

  const gone = new AbortController();
  const { signal } = gone;
  new Visitor(response).addEventListener('abort', () => {
    gone.abort();
  });
  const hasBody = !isSafe(request) && declaresBody(request);
  const body = hasBody ? createRequestBody(request, response, limit) : undefined;
  const nonce = randomUUID();
  let page: Buffer | undefined;
  const context: AppLoadContext = createRequestContext(url, { signal, requestId, nonce });
  context.takePage = (whole) => (page = whole);
  const asked = webRequest(exchange, env, signal, body);
  const answer = await site.remix(asked, context).then(settable, (error: unknown) => {
    if (body?.refusal) return new Response();
    throw error;
  });
  // A route that has answered reads no further.
  body?.release();
  const refusal = body?.refusal;
  const isUnread = signal.aborted || refusal || request.method === 'HEAD';
  if (isUnread) await answer.body?.cancel();
  if (signal.aborted) return;
  if (refusal) {
    refuse(response, env, requestId, refusal);
    return;
  }

  const kind = context.kind === 'resource' ? 'resource' : 'page';
  const cacheControl = await cacheControlOf(answer, context, site, url);
  const { styleHash } = context;
  for (const [name, value] of Object.entries(headersFor({ kind, env, nonce, styleHash }))) {
    answer.headers.set(name, value);
  }
  if (cacheControl !== null) answer.headers.set('cache-control', cacheControl);
  for (const name of hopByHop) answer.headers.delete(name);
  // A body of another length than its header says would run into the next visitor's answer on this connection.
  response.strictContentLength = true;
  closeIfUnread(response);
  if (page && !answer.body) {
    sendPage(exchange, answer, page);
    return;
  }
  compress(request, response);
  await sendResponse(response, answer);
}

/** Of one connection, and the server's to set. A `Response` from `fetch` carries the upstream's. */
const hopByHop = ['connection', 'keep-alive', 'trailer', 'transfer-encoding', 'upgrade'];

function isSafe({ method }: IncomingMessage): boolean {
  return method === 'GET' || method === 'HEAD';
}

async function bodyLimitOf(site: RemixSite, { request, url }: Exchange): Promise<number> {
  if (isSafe(request)) return defaultBodyLimit;
  return (await site.routeHandle(url)).body ?? defaultBodyLimit;
}

function webRequest(
  { request, url }: Exchange,
  env: SiteEnv,
  signal: AbortSignal,
  body: RequestBody | undefined,
): Request {
  const headers = createHeaders(request);
  for (const name of [...headers.keys()]) if (isUntrustedHeader(name)) headers.delete(name);
  // Remix compares these two, and answers 500 where they differ. The checks have compared already,
  // by better evidence.
  headers.set('host', url.host);
  if (headers.has('origin')) headers.set('origin', env.siteOrigin);
  const init: RequestInit = { method: request.method ?? 'GET', headers, signal };
  if (body) Object.assign(init, { body: body.stream, duplex: 'half' });
  return new Request(url, init);
}

/**
 * The `cache-control` of a route's own, where it counts: `private` or `no-store` of a resource, and any value of a
 * route that declares itself public, unless the guard was asked in this request, as the root does for every page.
 * Everything else may hold user state, and null keeps the table's value.
 */
async function cacheControlOf(
  { headers }: Response,
  context: AppLoadContext,
  { routeHandle }: RemixSite,
  url: URL,
): Promise<string | null> {
  const said = headers.get('cache-control');
  if (said === null) return null;
  if (/(^|,)\s*(private|no-store)\s*(,|$)/i.test(said))
    return context.kind === 'resource' ? said : null;
  if (hasAskedPlatform(context)) return null;
  return (await routeHandle(url)).cache === 'public' ? said : null;
}

/** Sends a page that is whole already, without a web stream or a compressing stream. */
function sendPage({ request, response }: Exchange, answer: Response, page: Buffer): void {
  const { headers } = answer;
  headers.append('vary', 'accept-encoding');
  const small = gzipped(page, request.headers['accept-encoding']);
  if (small) headers.set('content-encoding', 'gzip');
  headers.set('content-length', String((small ?? page).length));
  for (const [name, value] of headers) {
    // Each cookie is a header of its own. The values of all others are joined already.
    if (name === 'set-cookie') response.appendHeader(name, value);
    else response.setHeader(name, value);
  }
  response.writeHead(answer.status);
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
