/**
 * One request of a connection after another. Browsers and the platform's edge do not pipeline; who
 * does would otherwise set off any number of pages and calls, and Node tells nobody when the visitor
 * of a response that waits for its turn goes away.
 */
import { AsyncResource } from 'node:async_hooks';
import type { RequestListener } from 'node:http';
import type { Socket } from 'node:net';

/** Requests that may wait on one connection. With more, it ends. */
const longestQueue = 100;

/** The listener, begun for each request when the ones before it on its connection are answered. */
export function inTurn(listener: RequestListener): RequestListener {
  const waiting = new WeakMap<Socket, number>();
  return (request, response) => {
    // Node gives the connection to one response at a time.
    if (response.socket) {
      listener(request, response);
      return;
    }
    const { socket } = request;
    const queue = (waiting.get(socket) ?? 0) + 1;
    waiting.set(socket, queue);
    if (queue > longestQueue) {
      socket.destroy();
      return;
    }
    // The turn comes inside the request before it, whose visitor is not this one's.
    const begin = AsyncResource.bind(() => {
      waiting.set(socket, (waiting.get(socket) ?? 1) - 1);
      listener(request, response);
    });
    response.once('socket', begin);
  };
}
