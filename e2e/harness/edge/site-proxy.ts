/**
 * The way from the edge to the site: each request gets a ticket and loses what a visitor may not
 * claim; each answer is passed on unchanged but for the platform's own cookie. `/__auth/*` never gets as far as the site.
 */
import { Agent, type IncomingMessage, type ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { pipeline, type Duplex } from 'node:stream';

import { createProxyServer } from 'httpxy';

import { handleAuthRoute, sessionOf, type AuthRouteParts } from './auth-routes';
import { cleanInboundHeaders, cleanResponseHeaders, isPlatformCookie } from './edge-headers';
import { deliver } from '../internal-api/fault-delivery';
import type { Faults } from '../internal-api/faults';
import { messagePage, platformPageHeaders } from './sign-in-page';
import { TICKET_HEADER, type Ticket, type Tickets } from '../people/tickets';

export interface SiteProxyParts extends AuthRouteParts {
  tickets: Tickets;
  /** Called when a frame asks for a page of the site, with its path and whose session it was. */
  onPage: (path: string, sessionId: string | null) => void;
  /** Leave the Host header as the visitor sent it instead of naming the upstream. */
  preserveHost: boolean;
  faults: Pick<Faults, 'take'>;
}

export interface SiteProxy {
  /** Names the site; its origin is all that counts. */
  setUpstream(url: string): void;
  serve(request: IncomingMessage, response: ServerResponse): Promise<void>;
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void;
  close(): void;
}

interface Prepared {
  ticket: Ticket;
  headers: Record<string, string>;
}

/** Makes the proxy in front of the site. */
export function createSiteProxy(parts: SiteProxyParts): SiteProxy {
  const agent = new Agent({ keepAlive: true });
  const proxy = createProxyServer({ selfHandleResponse: true, changeOrigin: !parts.preserveHost });
  /** How to ask once more, for requests that met a kept connection the site had just closed. */
  const retries = new WeakMap<IncomingMessage, () => void>();
  let upstream: string | null = null;

  proxy.on('proxyReq', (proxyRequest, request) => {
    const repeatable = request.method === 'GET' || request.method === 'HEAD';
    if (!proxyRequest.reusedSocket || !repeatable) retries.delete(request);
  });
  proxy.on('proxyRes', (siteResponse, request, response) => {
    notePlatformCookies(siteResponse, request, parts);
    response.sendDate = false;
    response.writeHead(
      siteResponse.statusCode ?? 502,
      siteResponse.statusMessage,
      cleanResponseHeaders(siteResponse),
    );
    // A stream may say nothing for a while after its headers.
    response.flushHeaders();
    // What breaks on the way must arrive broken: pipeline destroys the one with the other.
    pipeline(siteResponse, response, () => undefined);
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
        // An edge that refuses a request does not ask the site.
        await deliver(response, fault, { answer: noAnswer, beforeEnd: () => undefined });
        return;
      }
      if (upstream === null) {
        sendUnreachable(request, response, parts, 'no site has been named yet');
        return;
      }
      const target = upstream;
      // The proxy and its streams listen for the end of a response more than ten times over.
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
      if (target === null || !(socket instanceof Socket)) {
        socket.end('HTTP/1.1 502 Bad Gateway\r\nConnection: close\r\nContent-Length: 0\r\n\r\n');
        return;
      }
      const { origin } = request.headers;
      if (origin !== undefined && origin !== parts.siteOrigin) {
        // A WebSocket has no preflight, and would carry the visitor's session for whoever opens it.
        parts.ledger.note('upgrade_refused', `${request.url ?? ''} from ${origin}`);
        socket.end('HTTP/1.1 403 Forbidden\r\nConnection: close\r\nContent-Length: 0\r\n\r\n');
        return;
      }
      const { ticket, headers } = prepare(request, parts, { isUpgrade: true });
      // What a socket says later is no request of the visitor's, and nobody asks then who they are.
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

function noAnswer(): never {
  throw new Error('A fault of the site has no answer to spoil.');
}

/** Mints the ticket, cleans the request in place, and names the headers that the platform sets. */
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
  const page = pageAskedFor(request);
  if (page !== null) parts.onPage(page, session?.id ?? null);
  const { host, protocol } = new URL(parts.siteOrigin);
  return {
    ticket,
    headers: {
      'x-forwarded-host': host,
      'x-forwarded-proto': protocol.slice(0, -1),
      'x-forwarded-for': request.socket.remoteAddress ?? '127.0.0.1',
      [TICKET_HEADER]: ticket.value,
    },
  };
}

/**
 * The page that a frame asks for: its document, or on a client navigation its data. The name of
 * those is Remix's, and a site of another framework is followed by its documents alone. A fetcher,
 * which goes nowhere, names its route.
 */
function pageAskedFor({ method, url = '/', headers }: IncomingMessage): string | null {
  if (headers['sec-fetch-dest'] === 'iframe') return url;
  if (method !== 'GET' || headers['sec-fetch-dest'] !== 'empty') return null;
  const [, path, query = ''] = /^([^?]*)\.data(\?.*)?$/.exec(url) ?? [];
  if (path === undefined || headers['sec-purpose'] !== undefined || /[?&]_routes=/.test(query)) {
    return null;
  }
  return (path === '/_root' ? '/' : path) + query;
}

/** The path as a browser would read it, or null for `*`, absolute and unreadable targets. */
function pathnameOf({ url }: IncomingMessage, siteOrigin: string): string | null {
  return url?.startsWith('/') && URL.canParse(siteOrigin + url)
    ? new URL(siteOrigin + url).pathname
    : null;
}

/**
 * A link, a form or a script that sends the browser itself to a file of `/api/`: it would be asked for with the
 * cookies of another place than the frame's (W21). An address that somebody typed is nobody's mistake.
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
      'The site does not answer',
      'It may still be starting, or it has stopped. This page asks again by itself.',
      { retry: request.method === 'GET' },
    ),
  );
}
