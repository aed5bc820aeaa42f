/** Node's HTTP server, with the site's own answer wherever Node would give a bare one. */
import { randomUUID } from 'node:crypto';
import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { ServerSettings } from '../site';
import { log } from '../log';
import { refusalText, refuse } from '../requests/refusals';
import type { Refusal } from '../requests/request-checks';
import { linger } from '../requests/unread-body';

/** What Node's parser and timers complain of, by the code of the error. */
const unreadable: Record<string, Refusal> = {
  HPE_HEADER_OVERFLOW: { status: 431, error: 'headers_too_large' },
  HPE_CHUNK_EXTENSIONS_OVERFLOW: { status: 413, error: 'body_too_large' },
  ERR_HTTP_REQUEST_TIMEOUT: { status: 408, error: 'request_timeout' },
};

/** Milliseconds that a visitor may leave an answer unread, or a connection without a request. */
const stallTimeout = 60_000;

/** A server that answers nothing but what is malformed. The caller adds the listener. */
export function createHttpServer(env: ServerSettings): Server {
  const server = createServer({
    // Headers only: `createRequestBody` bounds how slowly a body may come.
    headersTimeout: 20_000,
    requestTimeout: 0,
    // How often Node enforces `headersTimeout`. Its default is 30 s.
    connectionsCheckingInterval: 5_000,
    // Longer than edges keep a connection that is idle: one that is closed as a request comes in on
    // it loses the request.
    keepAliveTimeout: 75_000,
    // One of the request checks.
    requireHostHeader: false,
  });

  server.maxConnections = env.maxConnections;
  server.on('drop', () => {
    log.warn({ maxConnections: env.maxConnections }, 'too many connections');
  });

  // Node's default would also close an idle connection whose answer is still being made.
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
    // What is still sent after the refusal is an error again.
    if (socket.writableEnded) return;
    // An answer that has begun must not get another one inside it.
    if (!socket.writable || socket._httpMessage?.headersSent) {
      socket.destroy();
      return;
    }
    const requestId = randomUUID();
    const refusal = unreadable[error.code ?? ''] ?? { status: 400, error: 'malformed_request' };
    log.info({ requestId, ...refusal, reason: error.code }, 'unreadable request');
    socket.end(refusalText(env, requestId, refusal));
    // Gone at once, a sender who is still writing would get a reset in place of the answer.
    const timer = setTimeout(() => socket.destroy(), linger);
    socket.once('close', () => {
      clearTimeout(timer);
    });
    socket.once('end', () => socket.destroy());
  });

  return server;
}

/**
 * Adds the listener, for requests with `Expect: 100-continue` too: by default Node asks for their body at once,
 * and here the route decides.
 */
export function answerRequests(server: Server, listener: RequestListener): void {
  server.on('request', listener).on('checkContinue', listener);
}

/** Where Node keeps the answer that a connection is busy with. Its own handler looks there too. */
interface Connection extends Socket {
  _httpMessage?: ServerResponse | null;
}
