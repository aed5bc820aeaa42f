/**
 * The reverse proxy from the edge to the site. Each request gets a ticket and loses the headers that a
 * visitor may not set; responses pass through unchanged, except for the platform's own cookie. `/__auth/*`
 * never reaches the site.
 */
import { Agent, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { pipeline } from 'node:stream';

import { createProxyServer } from 'httpxy';

import { handleAuthRoute, sessionOf, type AuthRouteParts } from './auth-routes.ts';
import { cleanInboundHeaders, cleanResponseHeaders, isPlatformCookie } from './edge-headers.ts';
import { deliver } from '../internal-api/fault-delivery.ts';
import type { Faults } from '../internal-api/faults.ts';
import { isWatched, withWatch, type FrameState } from './sandbox-watch.ts';
import { messagePage, platformPageHeaders } from './sign-in-page.ts';
import { TICKET_HEADER, type Ticket, type Tickets } from '../people/tickets.ts';

export interface SiteProxyParts extends AuthRouteParts {
  tickets: Tickets;
  /** Called when a frame requests a page of the site, with its path and session. */
  onPage: (path: string, sessionId: string | null) => void;
  faults: Pick<Faults, 'take'>;
  frame: FrameState;
}

export interface SiteProxy {
  /** Sets the site's address; only its origin is used. */
  setUpstream: (url: string) => void;
  serve(request: IncomingMessage, response: ServerResponse): Promise<void>;
  upgrade(request: IncomingMessage, socket: Socket, head: Buffer): void;
  close(): void;
}

interface Prepared {
  ticket: Ticket;
  headers: Record<string, string>;
}

/** Creates the reverse proxy in front of the site. */
export function createSiteProxy(parts: SiteProxyParts): SiteProxy {
  const agent = new Agent({ keepAlive: true });
  const proxy = createProxyServer({ selfHandleResponse: true, changeOrigin: true });
  /** Retries for requests that were sent on a kept-alive connection which the site had just closed. */
  const retries = new WeakMap<IncomingMessage, () => void>();
  let upstream: string | null = null;

  proxy.on('proxyReq', (proxyRequest, request) => {
    const repeatable = request.method === 'GET' || request.method === 'HEAD';
    if (!proxyRequest.reusedSocket || !repeatable) retries.delete(request);
  });
  proxy.on('proxyRes', (siteResponse, request, response) => {
    notePlatformCookies(siteResponse, request, parts);
    response.sendDate = false;
    const cleaned = cleanResponseHeaders(siteResponse);
    const watched = isWatched(parts.frame, request) ? withWatch(parts.frame, cleaned) : null;
    const { statusCode = 502, statusMessage } = siteResponse;
    response.writeHead(statusCode, statusMessage, watched?.headers ?? cleaned);
    // A stream may send nothing for a while after its headers.
    response.flushHeaders();
    // A response that breaks off must break off for the visitor too: `pipeline` destroys both streams.
    if (watched) pipeline(siteResponse, watched.add, response, () => undefined);
    else pipeline(siteResponse, response, () => undefined);
  });
  proxy.on('error', (error, request, response) => {
    if (!request || !response || response.destroyed) return;
    if (!('writeHead' in response)) {
      response.end('HTTP/1.1 502 Bad Gateway\r\nConnection: close\r\nContent-Length: 0\r\n\r\n');
      return;
    }
    if (response.headersSent) {
      response.destroy();
      return;
    }
    const retry = retries.get(request);
    retries.delete(request);
    if (retry) retry();
    else sendUnreachable(request, response, parts, error.message);
  });

  return {
    setUpstream(url) {
      upstream = new URL(url).origin;
    },
    async serve(request, response) {
      const pathname = pathnameOf(request, parts.siteOrigin);
      if (pathname === null) {
        response.writeHead(400, { connection: 'close' }).end();
        return;
      }
      if (pathname === '/__auth' || pathname.startsWith('/__auth/')) {
        await handleAuthRoute(request, response, parts);
        return;
      }
      noteNativeDownload(request, pathname, parts);
      const session = sessionOf(request, parts.sessions);
      const fault = parts.faults.take('site', session?.personaId ?? null);
      if (fault) {
        // The edge refuses by itself, without asking the site.
        await deliver(response, fault, { respond: noResponse, beforeEnd: () => undefined });
        return;
      }
      if (upstream === null) {
        sendUnreachable(request, response, parts, 'no site has been named yet');
        return;
      }
      const target = upstream;
      // The proxy and its streams add more than ten listeners to a response.
      response.setMaxListeners(30);
      const { ticket, headers } = prepare(request, parts, { isUpgrade: false });
      response.once('close', () => {
        parts.tickets.retire(ticket, response.writableFinished ? 'answered' : 'left');
      });
      await new Promise<void>((done, failed) => {
        retries.set(request, () => {
          proxy.web(request, response, { target, headers, agent: false }).then(done, failed);
        });
        proxy.web(request, response, { target, headers, agent }).then(done, failed);
      });
    },
    upgrade(request, socket, head) {
      const pathname = pathnameOf(request, parts.siteOrigin);
      const isOfSite = pathname !== null && !/^\/__auth(\/|$)/.test(pathname);
      const target = isOfSite ? upstream : null;
      if (target === null) {
        socket.end('HTTP/1.1 502 Bad Gateway\r\nConnection: close\r\nContent-Length: 0\r\n\r\n');
        return;
      }
      const { origin } = request.headers;
      if (origin !== undefined && origin !== parts.siteOrigin) {
        // WebSockets have no preflight: any page could open one with the visitor's session.
        parts.ledger.note('upgrade_refused', `${request.url ?? ''} from ${origin}`);
        socket.end('HTTP/1.1 403 Forbidden\r\nConnection: close\r\nContent-Length: 0\r\n\r\n');
        return;
      }
      const { ticket, headers } = prepare(request, parts, { isUpgrade: true });
      // Messages on the socket belong to no request, so their calls have no visitor.
      parts.tickets.retire(ticket, 'upgraded');
      proxy.ws(request, socket, { target, headers }, head).catch(() => {
        socket.destroy();
      });
    },
    close() {
      agent.destroy();
    },
  };
}

function noResponse(): never {
  throw new Error('Faults of the site send no response of its own.');
}

/**
 * Mints the ticket, filters the request's headers in place, and returns the headers that the platform sets.
 */
function prepare(
  request: IncomingMessage,
  parts: SiteProxyParts,
  { isUpgrade }: { isUpgrade: boolean },
): Prepared {
  const session = sessionOf(request, parts.sessions);
  const path = request.url ?? '/';
  const ticket = parts.tickets.mint({
    method: request.method ?? '',
    path,
    session,
  });
  const stripped = cleanInboundHeaders(request, isUpgrade);
  if (stripped.length > 0) {
    parts.ledger.note('header_stripped', stripped.join(', '), ticket.siteRequest);
  }
  const page = pageRequested(request);
  if (page !== null) parts.onPage(page, session?.id ?? null);
  const { host, protocol } = new URL(parts.siteOrigin);
  return {
    ticket,
    headers: {
      'x-forwarded-host': host,
      'x-forwarded-proto': protocol.slice(0, -1),
      'x-forwarded-for': request.socket.remoteAddress ?? '127.0.0.1',
      [TICKET_HEADER]: ticket.value,
      // The script cannot be added to a compressed page.
      ...(isWatched(parts.frame, request) && { 'accept-encoding': 'identity' }),
    },
  };
}

/**
 * The page that a frame requests: its document, or on a client-side navigation its data. The data's URLs are
 * those of Remix and React Router; a site with another framework is followed by its documents alone. A fetcher, which
 * navigates nowhere, has a `_routes` parameter.
 */
function pageRequested({ method, url = '/', headers }: IncomingMessage): string | null {
  if (headers['sec-fetch-dest'] === 'iframe') return url;
  if (method !== 'GET' || headers['sec-fetch-dest'] !== 'empty') return null;
  const [, path, query = ''] = /^([^?]*)\.data(\?.*)?$/.exec(url) ?? [];
  if (path === undefined || headers['sec-purpose'] !== undefined || /[?&]_routes=/.test(query)) {
    return null;
  }
  return path.replace(/^\/_root$/, '/').replace(/\/_$/, '/') + query;
}

/** The path as a browser would parse it, or null for `*` and for absolute or invalid targets. */
function pathnameOf({ url }: IncomingMessage, siteOrigin: string): string | null {
  return url?.startsWith('/') && URL.canParse(siteOrigin + url)
    ? new URL(siteOrigin + url).pathname
    : null;
}

/**
 * Notes a native download: a link, form or script that navigates the browser to a file of `/api/`, which it
 * may request with another cookie jar than the frame's (W21). A typed address is not a violation by the site.
 */
function noteNativeDownload(
  { method, headers, url }: IncomingMessage,
  pathname: string,
  { ledger }: SiteProxyParts,
): void {
  const site = headers['sec-fetch-site'];
  const isByPage = headers['sec-fetch-mode'] === 'navigate' && site !== 'none';
  if (method !== 'GET' || !isByPage || !pathname.startsWith('/api/')) return;
  ledger.note('api_navigated', url ?? '');
}

/** The session cookie is the platform's; a site that sets one tries to decide who the visitor is. */
function notePlatformCookies(
  siteResponse: IncomingMessage,
  request: IncomingMessage,
  { ledger }: SiteProxyParts,
): void {
  if (siteResponse.headers['set-cookie']?.some(isPlatformCookie)) {
    ledger.note('platform_cookie_set_by_site', `${request.method ?? ''} ${request.url ?? ''}`);
  }
}

function sendUnreachable(
  request: IncomingMessage,
  response: ServerResponse,
  { ledger, platformOrigin }: SiteProxyParts,
  reason: string,
): void {
  ledger.note('site_unreachable', `${request.method ?? ''} ${request.url ?? ''}: ${reason}`);
  response.writeHead(502, platformPageHeaders(platformOrigin));
  response.end(
    messagePage(
      'The site is not responding',
      'It may still be starting, or it has stopped. This page reloads automatically.',
      { retry: request.method === 'GET' },
    ),
  );
}
