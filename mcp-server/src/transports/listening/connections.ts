/** What one connection may hold: Node bounds how long a request may take to come, not what it leaves waiting. */
import type { Server } from 'node:http';
import type { Socket } from 'node:net';

/** No client sends so many requests at once behind one whose answer is owed. Node would keep each of them. */
const mostWaiting = 100;

const waiting = new WeakMap<Socket, number>();

/** Counts a request that came behind another; a connection with too many is ended. */
export function countWaiting(socket: Socket): void {
  const count = (waiting.get(socket) ?? 0) + 1;
  waiting.set(socket, count);
  if (count > mostWaiting) socket.destroy();
}

/** Its turn has come. */
export function countTurn(socket: Socket): void {
  waiting.set(socket, (waiting.get(socket) ?? 1) - 1);
}

/**
 * Ends connections whose caller has stopped reading. Else its answer, its call and its place among those
 * that an end waits for are kept for as long as it likes. Looks now and then, so that no call pays for it.
 *
 * @param milliseconds Without a byte taken of what waits to be sent.
 * @returns Stops looking.
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
      // A socket's timeout begins anew with each byte taken, and Node's listener ends the connection.
      if (socket.writableLength > 0 && !isWatched) socket.setTimeout(milliseconds);
      // It caught up, and may be silent again for as long as its call takes.
      else if (socket.writableLength === 0 && isWatched) socket.setTimeout(0);
    }
  };
  const looking = setInterval(look, milliseconds / 2).unref();
  return () => {
    clearInterval(looking);
  };
}
