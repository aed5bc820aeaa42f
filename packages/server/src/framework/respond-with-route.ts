/** Converts Node's request for the framework, and writes the `Response`. */
import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { closeIfUnread, declaresBody } from '@gatehouse/http';
import { createHeaders, sendResponse } from '@remix-run/node-fetch-server';
import { defaultBodyLimit } from '../route.ts';
import { compress, gzipped } from '../responses/compression.ts';
import type { ServerSettings, Site } from '../site.ts';
import { headersFor } from '../responses/headers.ts';
import { refuse } from '../requests/refusals.ts';
import { createRequestBody, type RequestBody } from '../requests/request-body.ts';
import {
  bodyTooLarge,
  isCallerCredential,
  isTooLarge,
  isUntrustedHeader,
} from '../requests/request-checks.ts';
import {
  clientAddressOf,
  createRequestContext,
  type RequestContext,
} from '../requests/request-context.ts';
import type { MatchedRoute, RouteMatcher } from '../framework.ts';

type RoutedSite = RouteMatcher &
  Pick<Site, 'isResource' | 'framework' | 'hasCheckedIdentity'> & { env: ServerSettings };

export interface Exchange {
  request: IncomingMessage;
  response: ServerResponse;
  url: URL;
  requestId: string;
}

export async function respondWithRoute(
  site: RoutedSite,
  exchange: Exchange,
  matched?: MatchedRoute,
): Promise<void> {
  const { env } = site;
  const { request, response, url, requestId } = exchange;
  const { handle, respond } = matched ?? (await site.match(url));
  const isMachine = handle.access === 'machine';
  const limit = handle.body ?? defaultBodyLimit;
  if (isTooLarge(request, limit)) {
    refuse(response, env, requestId, bodyTooLarge);
    return;
  }

  const gone = new AbortController();
  const { signal } = gone;
  response.once('close', () => {
    if (!response.writableFinished) gone.abort();
  });
  const hasBody = !isSafe(request) && declaresBody(request);
  const body = hasBody ? createRequestBody(request, response, limit) : undefined;
  const nonce = randomUUID();
  let page: Buffer | undefined;
  const context: RequestContext = createRequestContext(url, site, {
    signal,
    requestId,
    nonce,
    method: request.method ?? 'GET',
  });
  const clientAddress = clientAddressOf(request, env.trustedProxies);
  if (clientAddress !== undefined) context.clientAddress = clientAddress;
  if (!isMachine) context.cookie = request.headers.cookie ?? '';
  context.takePage = (whole) => (page = whole);
  const isDropped = (name: string) =>
    isUntrustedHeader(name) && !(isMachine && isCallerCredential(name));
  const webRequest = webRequestOf(exchange, signal, body, isDropped);
  if (isMachine) {
    context.anonymous = true;
    webRequest.headers.delete('cookie');
  } else if (webRequest.headers.has('origin')) {
    // The framework compares the origin with the host, and responds with 500 if they differ. The checks have already
    // validated it, with better evidence.
    webRequest.headers.set('origin', env.siteOrigin);
  }
  const webResponse = await respond(webRequest, context).then(settable, (error: unknown) => {
    if (body?.refusal) return new Response();
    throw error;
  });
  // A route that has responded reads no further.
  body?.release();
  const refusal = body?.refusal;
  const isUnread = signal.aborted || refusal || request.method === 'HEAD';
  if (isUnread) await webResponse.body?.cancel();
  if (signal.aborted) return;
  if (refusal) {
    refuse(response, env, requestId, refusal);
    return;
  }

  const kind = context.kind === 'resource' ? 'resource' : 'page';
  const isPublic = handle.cache === 'public' && !site.hasCheckedIdentity(context);
  const cacheControl = cacheControlOf(webResponse, kind, isPublic);
  const { styleHash } = context;
  for (const [name, value] of Object.entries(headersFor({ kind, env, nonce, styleHash }))) {
    webResponse.headers.set(name, value);
  }
  if (cacheControl !== null) webResponse.headers.set('cache-control', cacheControl);
  for (const name of hopByHop) webResponse.headers.delete(name);
  // A body longer or shorter than its `content-length` would corrupt the next response on this connection.
  response.strictContentLength = true;
  closeIfUnread(response);
  if (page && !webResponse.body) {
    sendPage(exchange, webResponse, page);
    return;
  }
  compress(request, response);
  await sendResponse(response, webResponse);
}

/**
 * Connection-specific headers, which the server sets itself. A `Response` from `fetch` carries the
 * upstream's.
 */
const hopByHop = ['connection', 'keep-alive', 'trailer', 'transfer-encoding', 'upgrade'];

function isSafe({ method }: IncomingMessage): boolean {
  return method === 'GET' || method === 'HEAD';
}

function webRequestOf(
  { request, url }: Exchange,
  signal: AbortSignal,
  body: RequestBody | undefined,
  isDropped: (header: string) => boolean,
): Request {
  const headers = createHeaders(request);
  for (const name of [...headers.keys()]) if (isDropped(name)) headers.delete(name);
  headers.set('host', url.host);
  const init: RequestInit = { method: request.method ?? 'GET', headers, signal };
  if (body) Object.assign(init, { body: body.stream, duplex: 'half' });
  return new Request(url, init);
}

/**
 * The route's own `cache-control`, if it may be used: `private` or `no-store` on a resource, and any value on
 * a route that declares itself public, unless the guard ran in this request. Everything else may contain user
 * state, and null keeps the default.
 */
function cacheControlOf(
  { headers }: Response,
  kind: 'resource' | 'page',
  isPublic: boolean,
): string | null {
  const declared = headers.get('cache-control');
  if (declared !== null && /(^|,)\s*(private|no-store)\s*(,|$)/i.test(declared))
    return kind === 'resource' ? declared : null;
  return isPublic ? declared : null;
}

/** Sends a complete page without a web stream or compression stream. */
function sendPage({ request, response }: Exchange, webResponse: Response, page: Buffer): void {
  const { headers } = webResponse;
  headers.append('vary', 'accept-encoding');
  const small = gzipped(page, request.headers['accept-encoding']);
  if (small) headers.set('content-encoding', 'gzip');
  headers.set('content-length', String((small ?? page).length));
  for (const [name, value] of headers) {
    // Each cookie needs its own header line. Other repeated headers are already joined.
    if (name === 'set-cookie') response.appendHeader(name, value);
    else response.setHeader(name, value);
  }
  response.writeHead(webResponse.status);
  response.end(request.method === 'HEAD' ? undefined : (small ?? page));
}

/** Copies a `Response` with immutable headers, such as one from `fetch`. */
function settable(response: Response): Response {
  try {
    response.headers.set('x-content-type-options', 'nosniff');
    return response;
  } catch {
    return new Response(response.body, response);
  }
}
