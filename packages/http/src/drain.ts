/** Graceful shutdown, without losing a request or a response. */
import type { Server } from 'node:http';
import { Socket, Server as TcpServer } from 'node:net';
import type { Connection } from './upgrades.ts';

/** Maximum polls for queued connections, in case new ones keep arriving. */
const mostLooks = 100;

/** Milliseconds between checks for idle connections. */
const pause = 100;

/**
 * Call this before the server listens, and after adding upgrade handlers.
 *
 * @param milliseconds the time for pending responses to be completed and received.
 * @returns stops accepting connections, and waits until all are closed.
 */
export function createDrain(server: Server, milliseconds: number): () => Promise<void> {
  const sockets = new Set<Socket>();
  const upgraded = new Set<Connection>();
  server.on('connection', (socket) => {
    // An offer to upgrade that was ignored brings the connection back.
    if (upgraded.delete(socket)) return;
    sockets.add(socket);
    socket.once('close', () => {
      sockets.delete(socket);
      upgraded.delete(socket);
    });
  });
  // Only if upgrades are handled: with a listener, Node no longer treats them as ordinary requests.
  if (server.listenerCount('upgrade') > 0) {
    server.prependListener('upgrade', (_request, socket) => {
      if (socket instanceof Socket) upgraded.add(socket);
    });
  }

  return async () => {
    const { closed } = await stopAccepting(server);
    // The HTTP server no longer tracks upgraded sockets. They have no pending request, unless the offer waits for one.
    const endUpgraded = () => {
      for (const socket of upgraded) if (!socket._httpMessage) socket.end();
    };
    endUpgraded();
    const look = setInterval(() => {
      endUpgraded();
      const allRead = [...sockets].every(({ writableLength }) => writableLength === 0);
      if (allRead) server.closeIdleConnections();
    }, pause);
    const timer = setTimeout(() => {
      for (const socket of sockets) socket.destroy();
    }, milliseconds);
    await closed;
    clearInterval(look);
    clearTimeout(timer);
  };
}

/**
 * Stops accepting connections, once those that wait are accepted. Open ones stay open: `http.Server.close` would close idle
 * ones immediately, and a response that the client has not received yet counts as idle.
 *
 * @returns what resolves when all connections are closed.
 */
export async function stopAccepting(server: Server): Promise<{ closed: Promise<void> }> {
  await acceptQueued(server);
  const closed = new Promise<void>((resolve) => {
    TcpServer.prototype.close.call(server, () => {
      resolve();
    });
  });
  // Clears the HTTP server's own timers.
  return { closed: closed.then(() => void server.close()) };
}

/**
 * Accepts the connections in the kernel's backlog, which closing the listening socket would reset. One poll
 * of the event loop accepts all of them.
 */
async function acceptQueued(server: Server): Promise<void> {
  let accepted = true;
  const note = () => (accepted = true);
  server.on('connection', note);
  for (let looks = 0; accepted && looks < mostLooks; looks++) {
    accepted = false;
    // The first iteration may have polled before this was called.
    for (let turn = 0; turn < 2; turn++) await new Promise((resolve) => setImmediate(resolve));
  }
  server.off('connection', note);
}
