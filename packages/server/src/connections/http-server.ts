/** Node's HTTP server, with the site's own responses where Node would send bare ones. */
import { randomUUID } from 'node:crypto';
import { createServer, type RequestListener, type Server } from 'node:http';
import { endWith, handleUpgrades, type Connection, type Upgrades } from '@gatehouse/http';
import type { ServerSettings } from '../site.ts';
import { log } from '../log.ts';
import { refusalText, refuse } from '../requests/refusals.ts';
import type { Refusal } from '../requests/request-checks.ts';

/** Errors of Node's parser and timers, by code. */
const unreadable: Record<string, Refusal> = {
  HPE_HEADER_OVERFLOW: { status: 431, error: 'headers_too_large' },
  HPE_CHUNK_EXTENSIONS_OVERFLOW: { status: 413, error: 'body_too_large' },
  ERR_HTTP_REQUEST_TIMEOUT: { status: 408, error: 'request_timeout' },
};

/** Milliseconds that a client may leave a response unread, or a connection without a request. */
const stallTimeout = 60_000;

/** A server that responds only to malformed requests. The caller adds the listener. */
export function createHttpServer(env: ServerSettings): Server {
  const server = createServer({
    // For headers only: `createRequestBody` limits slow bodies.
    headersTimeout: 20_000,
    requestTimeout: 0,
    // How often Node enforces `headersTimeout`. The default is 30 s.
    connectionsCheckingInterval: 5_000,
    // Longer than edges keep idle connections: if the server closes one first, a request that is being sent
    // on it is lost.
    keepAliveTimeout: 75_000,
    // Checked in `request-checks.ts` instead.
    requireHostHeader: false,
  });

  server.maxConnections = env.maxConnections;
  server.on('drop', () => {
    log.warn({ maxConnections: env.maxConnections }, 'too many connections');
  });

  // Node's default would also close a connection while its response is being prepared.
  server.setTimeout(stallTimeout, (socket: Connection) => {
    if (!socket._httpMessage || socket.writableLength > 0) socket.destroy();
  });

  server.on('checkExpectation', (_request, response) => {
    const requestId = randomUUID();
    const refusal = { status: 417, error: 'unsupported_expectation' };
    log.info({ requestId, ...refusal }, 'unreadable request');
    refuse(response, env, requestId, refusal);
  });

  server.on('clientError', (error: NodeJS.ErrnoException, socket: Connection) => {
    endWith(socket, () => {
      const requestId = randomUUID();
      const refusal = unreadable[error.code ?? ''] ?? { status: 400, error: 'malformed_request' };
      log.info({ requestId, ...refusal, reason: error.code }, 'unreadable request');
      return refusalText(env, requestId, refusal);
    });
  });

  return server;
}

/**
 * Adds the listener, including for requests with `Expect: 100-continue`: by default Node requests their
 * bodies immediately, whereas here the route decides.
 *
 * @param upgrades handles accepted offers of another protocol. By default, all are ignored.
 */
export function handleRequests(
  server: Server,
  listener: RequestListener,
  upgrades?: Upgrades,
): void {
  server.on('request', listener).on('checkContinue', listener);
  handleUpgrades(server, upgrades);
}
