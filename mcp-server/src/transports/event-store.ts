/** The last events of one session, for a client whose connection broke and who asks for what it missed. */
import type { JSONRPCMessage } from '../adapters/messages.ts';
import type { EventStore } from '../adapters/http-protocol.ts';

interface StoredEvent {
  readonly id: string;
  readonly streamId: string;
  readonly message: JSONRPCMessage;
  readonly size: number;
}

const maxEvents = 100;
const maxCharacters = 256 * 1024;

/** Keeps so much and forgets the oldest: who asks for what is forgotten is refused by the SDK. */
export class BoundedEventStore implements EventStore {
  readonly #events: StoredEvent[] = [];
  #size = 0;
  #last = 0;

  storeEvent(streamId: string, message: JSONRPCMessage): Promise<string> {
    const id = String((this.#last += 1));
    const event = { id, streamId, message, size: JSON.stringify(message).length };
    this.#events.push(event);
    this.#size += event.size;
    while (this.#events.length > maxEvents || this.#size > maxCharacters) {
      this.#size -= this.#events.shift()?.size ?? 0;
    }
    return Promise.resolve(id);
  }

  getStreamIdForEventId(id: string): Promise<string | undefined> {
    return Promise.resolve(this.#events.find((event) => event.id === id)?.streamId);
  }

  async replayEventsAfter(
    lastId: string,
    { send }: { send: (id: string, message: JSONRPCMessage) => Promise<void> },
  ): Promise<string> {
    const index = this.#events.findIndex(({ id }) => id === lastId);
    const last = this.#events[index];
    if (!last) throw new Error('The event is forgotten');
    for (const { id, streamId, message } of this.#events.slice(index + 1)) {
      // An event without a message only marks a stream's beginning.
      if (streamId === last.streamId && 'jsonrpc' in message) await send(id, message);
    }
    return last.streamId;
  }
}
