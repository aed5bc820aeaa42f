/**
 * Handles pipelined requests of a connection one at a time. Browsers and the platform's edge do not pipeline;
 * otherwise a client that does could start any number of pages and calls, and Node does not signal a
 * disconnect for a response that is queued.
 */
import { AsyncResource } from 'node:async_hooks';
import type { RequestListener } from 'node:http';
import type { Socket } from 'node:net';

/** Maximum queued requests per connection. Beyond that it is closed. */
const longestQueue = 100;

/** Wraps the listener to start each request when the previous ones on its connection are done. */
export function serializePipelined(listener: RequestListener): RequestListener {
  const waiting = new WeakMap<Socket, number>();
  return (request, response) => {
    // Node assigns the socket to one response at a time.
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
    // Restores the request's own async context: the event fires in that of the previous request, which may
    // belong to another visitor.
    const begin = AsyncResource.bind(() => {
      waiting.set(socket, (waiting.get(socket) ?? 1) - 1);
      listener(request, response);
    });
    response.once('socket', begin);
  };
}
