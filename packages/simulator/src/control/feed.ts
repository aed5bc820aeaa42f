/** The live feed of the platform's page: server-sent events. */
import type { ServerResponse } from 'node:http';

import type { Ledger } from '../internal-api/ledger.ts';

const HEARTBEAT_MS = 15_000;

export interface Feed {
  open(response: ServerResponse): void;
  tell(event: string, data: unknown): void;
  close(): void;
}

/** Creates a feed of the ledger's entries and of events that are published to it. */
export function createFeed(ledger: Pick<Ledger, 'subscribe'>): Feed {
  const readers = new Set<ServerResponse>();
  const tell = (event: string, data: unknown): void => {
    for (const reader of readers)
      reader.write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
  };
  const unsubscribe = ledger.subscribe((entry) => {
    if (readers.size > 0) tell(entry === null ? 'cleared' : 'entry', entry);
  });
  const heartbeat = setInterval(() => {
    for (const reader of readers) reader.write(':\n\n');
  }, HEARTBEAT_MS);
  heartbeat.unref();

  return {
    open(response) {
      response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
      response.write(':\n\n');
      readers.add(response);
      response.once('close', () => readers.delete(response));
    },
    tell,
    close() {
      unsubscribe();
      clearInterval(heartbeat);
      for (const reader of readers) reader.end();
    },
  };
}
