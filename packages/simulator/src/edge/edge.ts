/**
 * The edge: one server on loopback with two host names. On one it serves the platform's page; on the other it
 * is the reverse proxy in front of the site.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { handleUpgrades, offersWebSocket } from '@gatehouse/http';
import { BACKLOG } from '../backlog.ts';
import { messagePage } from './sign-in-page.ts';
import { createSiteProxy, type SiteProxyParts } from './site-proxy.ts';

export const PLATFORM_HOST = 'platform.localhost';
export const SITE_HOST = 'site.localhost';

interface EdgeParts extends SiteProxyParts {
  /** Handles every request for the platform's own host. */
  servePlatformHost: (request: IncomingMessage, response: ServerResponse) => Promise<void>;
}

interface Edge {
  setUpstream(url: string): void;
  close(): Promise<void>;
}

interface Listening {
  port: number;
  /** Supplies the parts that need to know the port first. */
  begin(parts: EdgeParts): Edge;
}

/**
 * Opens the edge's port. Requests that arrive before `begin` get a 503.
 *
 * @param port 0 means any free one.
 * @throws when the port is taken (`EADDRINUSE`).
 */
export async function openEdge(port: number): Promise<Listening> {
  const server = createServer();
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen({ port, host: '127.0.0.1', backlog: BACKLOG }, resolve);
  });
  const actualPort = (server.address() as AddressInfo).port;

  return {
    port: actualPort,
    begin(parts) {
      const site = createSiteProxy(parts);
      const sockets = new Set<Socket>();
      server.on('request', (request, response) => {
        const host = hostOf(request, actualPort);
        let work: Promise<void> | undefined;
        if (host === 'platform') work = parts.servePlatformHost(request, response);
        else if (host === 'site') work = site.serve(request, response);
        else misdirected(response, actualPort);
        work?.catch((error: unknown) => {
          response.destroy(error instanceof Error ? error : new Error(String(error)));
        });
      });
      // Node does not track those that offered an upgrade.
      server.on('connection', (socket) => {
        if (sockets.has(socket)) return;
        sockets.add(socket);
        socket.once('close', () => sockets.delete(socket));
      });
      handleUpgrades(server, {
        accepts: offersWebSocket,
        handle: (request, socket, head) => {
          if (hostOf(request, actualPort) === 'site') site.upgrade(request, socket, head);
          else socket.end('HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n');
        },
      });
      return {
        setUpstream: site.setUpstream,
        close: () =>
          new Promise((resolve) => {
            server.close(() => {
              resolve();
            });
            server.closeAllConnections();
            for (const socket of sockets) socket.destroy();
            site.close();
          }),
      };
    },
  };
}

/** Which of the two hosts a request names: only the `Host` header decides, as with virtual hosts. */
function hostOf({ headers }: IncomingMessage, port: number): 'platform' | 'site' | null {
  // Browsers leave out the default port, and other clients may name it.
  const [name, named = '80'] = (headers.host ?? '').toLowerCase().split(':', 2);
  if (Number(named) !== port) return null;
  if (name === PLATFORM_HOST) return 'platform';
  return name === SITE_HOST ? 'site' : null;
}

function misdirected(response: ServerResponse, port: number): void {
  response.writeHead(421, {
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-store',
  });
  response.end(messagePage('Unknown host name', `Open http://${PLATFORM_HOST}:${port} instead.`));
}
