/** Requests that offer another protocol. */
import { AsyncResource } from 'node:async_hooks';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { declaresBody } from './unread-body.ts';

/** What happens to the offers that are not ignored. */
export interface Upgrades {
  accepts: (request: IncomingMessage) => boolean;
  handle: (request: IncomingMessage, socket: Socket, head: Buffer) => void;
}

/** Node stores a connection's current response here; its own handlers use this too. */
export interface Connection extends Socket {
  _httpMessage?: ServerResponse | null;
}

/** In `rawHeaders`, which has two texts for each. Node drops what exceeds this, perhaps the length of the body. */
const mostHeaderTexts = 2_000;

/**
 * Handles the offers that are accepted. All others are ignored, as RFC 9110, section 7.8, asks: their
 * requests are answered in HTTP/1.1. Clients offer HTTP/2 that way, for example `curl --http2`.
 *
 * Node stops parsing at every offer, and without an `upgrade` listener drops what follows it. So an ignored request is put
 * back without its offer, for a new parser. Call this after adding the server's other listeners.
 */
export function handleUpgrades(server: Server, upgrades?: Upgrades): void {
  server.on('upgrade', (request, stream, head) => {
    if (!(stream instanceof Socket)) return;
    const socket: Connection = stream;
    // Node 20 leaves its own here, and would add another one for the new parser.
    socket.removeAllListeners('timeout');
    const destroy = () => socket.destroy();
    socket.on('error', destroy);
    if (request.rawHeaders.length >= mostHeaderTexts) {
      refuseHeaders(server, socket);
      return;
    }
    const handle = upgrades?.accepts(request) ? upgrades.handle : undefined;
    // At once: the client may end its side while the offer waits, and nothing can be put back after the end.
    socket.unshift(handle ? head : Buffer.concat([headWithoutOffer(request), head]));
    afterResponses(server, socket, () => {
      if (handle) {
        handle(request, socket, Buffer.alloc(0));
        return;
      }
      socket.off('error', destroy);
      server.emit('connection', socket);
    });
  });
  if ('shouldUpgradeCallback' in server) keepBodies(server);
}

/** A browser's WebSocket, also where the client offers other protocols too. */
export function offersWebSocket(request: IncomingMessage): boolean {
  const { method, httpVersion, headers } = request;
  const offers = tokensOf(headers.upgrade ?? '').includes('websocket');
  if (!offers || method !== 'GET' || httpVersion !== '1.1' || declaresBody(request)) return false;
  // Libraries compare the complete header.
  headers.upgrade = 'websocket';
  return true;
}

/**
 * Calls back once the earlier requests of the connection, which were pipelined, have their responses. A parser that begins
 * before would not learn of their end.
 */
function afterResponses(server: Server, socket: Connection, proceed: () => void): void {
  if (!socket._httpMessage) {
    proceed();
    return;
  }
  // Node has removed its own listeners, which these responses still need.
  const listeners = {
    drain: () => socket._httpMessage?.emit('drain'),
    timeout: () => {
      if (!server.emit('timeout', socket)) socket.destroy();
    },
    // Node resumes the socket when a request is read or a response ends, and nobody would get what it reads. With this
    // listener, `resume` has no effect.
    readable: () => undefined,
  };
  for (const [event, listener] of Object.entries(listeners)) socket.on(event, listener);
  // In the offer's own async context: the event fires in that of another request, which may be another visitor's.
  const look = AsyncResource.bind(() => {
    if (socket._httpMessage) {
      socket._httpMessage.once('finish', look);
      return;
    }
    for (const [event, listener] of Object.entries(listeners)) socket.off(event, listener);
    // Without the timeout for idle connections, which the last response began.
    socket.setTimeout(server.timeout);
    // Otherwise the response has closed the connection.
    if (socket.writable) proceed();
  });
  look();
}

/**
 * Node 26 reads the body of a request that offers an upgrade itself, and would hold back the connection until then. So
 * newer versions treat such a request as an ordinary one. They drop what follows it; closing the connection tells the
 * client.
 */
function keepBodies(server: Server): void {
  Object.assign(server, {
    shouldUpgradeCallback: (request: IncomingMessage) => !declaresBody(request),
  });
  for (const event of ['request', 'checkContinue']) {
    if (server.listenerCount(event) === 0) continue;
    server.prependListener(event, ({ headers }: IncomingMessage, response: ServerResponse) => {
      if (headers.upgrade === undefined) return;
      delete headers.upgrade;
      response.shouldKeepAlive = false;
    });
  }
}

function refuseHeaders(server: Server, socket: Socket): void {
  const error = Object.assign(new Error('Too many headers'), { code: 'HPE_HEADER_OVERFLOW' });
  if (server.emit('clientError', error, socket)) return;
  socket.end(
    'HTTP/1.1 431 Request Header Fields Too Large\r\nConnection: close\r\nContent-Length: 0\r\n\r\n',
  );
}

function headWithoutOffer({ method, url, httpVersion, rawHeaders }: IncomingMessage): Buffer {
  const lines = [`${method} ${url} HTTP/${httpVersion}`];
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const [name = '', value = ''] = rawHeaders.slice(index, index + 2);
    const kept = name.toLowerCase() === 'connection' ? withoutTokens(value) : value;
    if (!offering.includes(name.toLowerCase()) && kept !== null) lines.push(`${name}: ${kept}`);
  }
  // As Node reads a request's head.
  return Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1');
}

const offering = ['upgrade', 'http2-settings'];

function withoutTokens(connection: string): string | null {
  return (
    tokensOf(connection)
      .filter((token) => !offering.includes(token))
      .join(', ') || null
  );
}

function tokensOf(header: string): string[] {
  return header.split(',').map((token) => token.trim().toLowerCase());
}
