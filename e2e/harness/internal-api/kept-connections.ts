/**
 * How long each kept connection is idle. Servers close one after a while, and a call that sets out at that moment is
 * lost: the fault `idle_close` makes the moment certain, where a timer would seldom meet it.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

export interface KeptConnections {
  /** Milliseconds that a request's connection was idle before it; null for a connection that counts as new. */
  begin(request: IncomingMessage, response: ServerResponse): number | null;
  /**
   * Lets every connection count as new: by the time that a lost call is made again its caller has heard of all
   * others that a server closed along with the first.
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
