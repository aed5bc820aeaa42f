/** An end of the server that loses no request, and no answer. */
import type { Server } from 'node:http';
import { Server as TcpServer, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';

/** How often to look for queued connections at most, where new ones never stop coming. */
const mostLooks = 100;

/** Milliseconds between looks for connections that nothing holds any more. */
const pause = 100;

/**
 * To be called before the server listens, and after whatever answers upgrades.
 * @param milliseconds that answers under way are given, to be made and to be read.
 * @returns lets nobody new in, and waits until all connections are gone.
 */
export function createDrain(server: Server, milliseconds: number): () => Promise<void> {
  const sockets = new Set<Socket>();
  const upgraded = new Set<Duplex>();
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.once('close', () => {
      sockets.delete(socket);
      upgraded.delete(socket);
    });
  });
  // Only where upgrades are handled: with a listener, Node no longer treats them as ordinary requests.
  if (server.listenerCount('upgrade') > 0) {
    server.prependListener('upgrade', (_request, socket) => upgraded.add(socket));
  }

  return async () => {
    await acceptQueued(server);
    // HTTP's own close ends idle connections at once, and an answer that nobody has read yet counts as
    // idle: it would be cut off.
    const closed = new Promise((resolve) => TcpServer.prototype.close.call(server, resolve));
    // The HTTP server no longer tracks upgraded sockets, and they have no request to wait for.
    for (const socket of upgraded) socket.end();
    const look = setInterval(() => {
      const allRead = [...sockets].every(({ writableLength }) => writableLength === 0);
      if (allRead) server.closeIdleConnections();
    }, pause);
    const timer = setTimeout(() => {
      for (const socket of sockets) socket.destroy();
    }, milliseconds);
    await closed;
    clearInterval(look);
    clearTimeout(timer);
    // Its timers end with it.
    server.close();
  };
}

/**
 * Accepts the connections that wait in the kernel's queue, which closing the listening socket would reset. One
 * poll of the event loop accepts all of them.
 */
async function acceptQueued(server: Server): Promise<void> {
  let accepted = true;
  const note = () => (accepted = true);
  server.on('connection', note);
  for (let looks = 0; accepted && looks < mostLooks; looks++) {
    accepted = false;
    // The first turn may have polled before this was called.
    for (let turn = 0; turn < 2; turn++) await new Promise((resolve) => setImmediate(resolve));
  }
  server.off('connection', note);
}
