/** Limits for one connection that Node.js does not have: pipelined requests, and unread responses. */
import type { Server } from 'node:http';
import type { Socket } from 'node:net';

/** Far more than clients pipeline behind a pending request. Node.js itself has no limit. */
const mostWaiting = 100;

const waiting = new WeakMap<Socket, number>();

/** Counts a pipelined request. Destroys a connection with too many. */
export function countWaiting(socket: Socket): void {
  const count = (waiting.get(socket) ?? 0) + 1;
  waiting.set(socket, count);
  if (count > mostWaiting) socket.destroy();
}

/** Call it when a pipelined request begins. */
export function countTurn(socket: Socket): void {
  waiting.set(socket, (waiting.get(socket) ?? 1) - 1);
}

/**
 * Ends connections whose client has stopped reading; otherwise the response and its call would be kept as long as
 * the client likes, and shutdown would wait for them. Polls at an interval, so that calls have no overhead.
 *
 * @param milliseconds Time without progress while data is waiting to be sent.
 * @returns A function that stops the polling.
 */
export function endStalledReaders(server: Server, milliseconds: number): () => void {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  const look = () => {
    for (const socket of sockets) {
      const isWatched = socket.timeout === milliseconds;
      // The timeout restarts whenever the client reads data. When it expires, Node.js closes the connection.
      if (socket.writableLength > 0 && !isWatched) socket.setTimeout(milliseconds);
      // The client has caught up, and may be idle for as long as its call takes.
      else if (socket.writableLength === 0 && isWatched) socket.setTimeout(0);
    }
  };
  const looking = setInterval(look, milliseconds / 2).unref();
  return () => {
    clearInterval(looking);
  };
}
