/** An end of the server that loses no request, and no answer. */
import type { Server } from 'node:http';
import { Server as TcpServer, type Socket } from 'node:net';

/** Milliseconds between looks for connections that nothing holds any more. */
const pause = 100;

/**
 * To be called before the server listens.
 * @param milliseconds that answers under way are given, to be made and to be read.
 * @returns lets nobody new in, and waits until all connections are gone.
 */
export function createDrain(server: Server, milliseconds: number): () => Promise<void> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });

  return async () => {
    // HTTP's own close ends idle connections at once, and an answer that nobody has read yet counts as
    // idle: it would be cut off.
    const closed = new Promise((resolve) => TcpServer.prototype.close.call(server, resolve));
    const look = setInterval(() => {
      const allRead = [...sockets].every(({ writableLength }) => writableLength === 0);
      if (allRead) server.closeIdleConnections();
    }, pause);
    const timer = setTimeout(() => {
      server.closeAllConnections();
    }, milliseconds);
    await closed;
    clearInterval(look);
    clearTimeout(timer);
    // Its timers end with it.
    server.close();
  };
}
