/**
 * How long each kept-alive connection is idle. Servers close idle connections, and a call that is sent at
 * that moment is lost: the fault `idle_close` makes this race certain, where a timer would seldom hit it.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

export interface KeptConnections {
  /**
   * Milliseconds that a request's connection was idle before it; null for a connection that counts as new.
   */
  begin(request: IncomingMessage, response: ServerResponse): number | null;
  /**
   * Makes every connection count as new: by the time a lost call is retried, its caller has noticed all other
   * connections that the server closed along with the first.
   */
  renew(): void;
}

export function watchKeptConnections(): KeptConnections {
  let idleSince = new WeakMap<Socket, number>();
  return {
    begin({ socket }, response) {
      const since = idleSince.get(socket);
      response.once('finish', () => {
        idleSince.set(socket, performance.now());
      });
      return since === undefined ? null : performance.now() - since;
    },
    renew() {
      idleSince = new WeakMap();
    },
  };
}
