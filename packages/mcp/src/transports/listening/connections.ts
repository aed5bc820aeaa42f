/** Limits for one connection that Node.js does not have: unread responses, late bodies. */
import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** How long a request may take to arrive during shutdown, in milliseconds. */
const arrivalMs = 1_000;

interface WatchedConnections {
  /** Ends connections whose request does not arrive in time: nothing was done for it yet. For the shutdown. */
  endHalfSent(): void;
  stop(): void;
}

/**
 * Ends connections whose client has stopped reading; otherwise the response and its call would be kept as long as
 * the client likes, and shutdown would wait for them. Polls at an interval, so that calls have no overhead.
 *
 * @param milliseconds Time without progress while data is waiting to be sent.
 */
export function watchConnections(server: Server, milliseconds: number): WatchedConnections {
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
  const arriving = new WeakSet<object>();
  const lookForHalfSent = () => {
    for (const socket of sockets) {
      // Node.js has no public way from a connection to its request, and to count each request would slow all down.
      const request = (socket as { _httpMessage?: ServerResponse | null })._httpMessage?.req;
      // A body that nobody reads yet, because its token is still being checked, can have arrived whole.
      if (!request || request.complete || !request.readableFlowing) continue;
      if (arriving.has(request)) socket.destroy();
      else arriving.add(request);
    }
  };
  const timers = [setInterval(look, milliseconds / 2).unref()];
  return {
    endHalfSent() {
      lookForHalfSent();
      timers.push(setInterval(lookForHalfSent, arrivalMs).unref());
    },
    stop() {
      for (const timer of timers) clearInterval(timer);
    },
  };
}
