/** Converts Node's request for the framework, and writes the `Response`. */
import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { closeIfUnread, declaresBody } from '@gatehouse/http';
import { createHeaders, sendResponse } from '@remix-run/node-fetch-server';
import { defaultBodyLimit } from '../route.ts';
import { compress, gzipped } from '../responses/compression.ts';
import type { ServerSettings, Site } from '../site.ts';
import { headersFor } from '../responses/headers.ts';
import { isRestricted, Publication, withoutVisitor } from '../responses/publication.ts';
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
  const kind = context.kind === 'resource' ? 'resource' : 'page';
  context.takePage = (whole) => (page = whole);
  const { cache, embeddable } = handle;
  const isPublic = cache !== undefined && isSafe(request);
  let publication: Publication | undefined;
  if (isPublic && context.kind !== 'data') {
    context.isPublic = true;
    // In development pages change all the time, and Vite's styles need a nonce.
    if (kind === 'resource' || env.mode !== 'development') {
      const known = request.headers['if-none-match'];
      publication = new Publication({ kind, cache, embeddable, env, known });
      if (kind === 'page') context.publication = publication;
    }
  } else {
    if (isPublic) {
      const forNobody = { ...context, isPublic };
      context.publicContext = site.framework.contextOf?.(forNobody) ?? forNobody;
    }
    const clientAddress = clientAddressOf(request, env.trustedProxies);
    if (clientAddress !== undefined) context.clientAddress = clientAddress;
    if (isMachine) context.anonymous = true;
    else context.cookie = request.headers.cookie ?? '';
  }
  const received = webRequestOf(exchange, signal, body, isMachine);
  const webRequest = context.isPublic ? withoutVisitor(received) : received;
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

  const { headers } = webResponse;
  const published = site.hasCheckedIdentity(context)
    ? null
    : publication?.of(webResponse, page, nonce);
  const { styleHash } = context;
  const declared = kind === 'resource' && isRestricted(headers) && headers.get('cache-control');
  const table = published?.headers ?? {
    ...headersFor({ kind, env, nonce, styleHash, embeddable }),
    ...(declared && { 'cache-control': declared }),
  };
  for (const [name, value] of Object.entries(table)) headers.set(name, value);
  for (const name of hopByHop) headers.delete(name);
  if (published?.isKnown) {
    await webResponse.body?.cancel();
    sendNotModified(response, headers);
    return;
  }
  // A body longer or shorter than its `content-length` would corrupt the next response on this connection.
  response.strictContentLength = true;
  closeIfUnread(response);
  if (page && !webResponse.body) {
    sendPage(exchange, webResponse, published?.page ?? page);
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
  isMachine: boolean,
): Request {
  const headers = createHeaders(request);
  for (const name of [...headers.keys()]) {
    const isCallers = isMachine && isCallerCredential(name);
    if (isUntrustedHeader(name) && !isCallers) headers.delete(name);
  }
  if (isMachine) headers.delete('cookie');
  // The framework compares the origin with the host, and responds with 500 if they differ. The checks have already
  // validated it, with better evidence.
  else if (headers.has('origin')) headers.set('origin', url.origin);
  headers.set('host', url.host);
  const init: RequestInit = { method: request.method ?? 'GET', headers, signal };
  if (body) Object.assign(init, { body: body.stream, duplex: 'half' });
  return new Request(url, init);
}

/**
 * Confirms what the client has. Its headers replace those that the client has kept, so that the policy of a page that was
 * not rendered is left out.
 */
function sendNotModified(response: ServerResponse, headers: Headers): void {
  for (const name of ['cache-control', 'etag', 'x-content-type-options']) {
    response.setHeader(name, headers.get(name) ?? '');
  }
  response.setHeader('vary', 'accept-encoding');
  response.writeHead(304).end();
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
