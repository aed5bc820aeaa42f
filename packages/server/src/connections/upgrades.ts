/** Requests that offer another protocol. */
import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';

/**
 * Handles the offers that are accepted. All others are ignored, as RFC 9110, section 7.8, asks: their requests are answered
 * in HTTP/1.1. Clients offer HTTP/2 that way, for example `curl --http2`.
 *
 * Once a server has an `upgrade` listener, Node 20 stops parsing at every offer, so that the request's body is unread. An
 * ignored request is put back without its offer, for a new parser.
 */
export function handleUpgrades(
  server: Server,
  accepts: (request: IncomingMessage) => boolean,
  handle: (request: IncomingMessage, socket: Duplex, head: Buffer) => void,
): void {
  server.on('upgrade', (request, socket, head) => {
    if (accepts(request)) {
      handle(request, socket, head);
      return;
    }
    socket.unshift(Buffer.concat([headWithoutOffer(request), head]));
    server.emit('connection', socket);
  });
}

export function offersWebSocket({ method, headers }: IncomingMessage): boolean {
  return method === 'GET' && tokensOf(headers.upgrade ?? '').includes('websocket');
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
