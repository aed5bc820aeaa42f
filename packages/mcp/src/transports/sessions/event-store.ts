/** Stores the latest events of sessions, for clients that reconnect and resume a stream. */
import type { JSONRPCMessage, RequestId } from '../../adapters/message-shapes.ts';
import type { EventStore } from '../../adapters/http-protocol.ts';
import { jsonLine } from '../../core/result/format.ts';

interface StoredEvent {
  readonly id: string;
  readonly streamId: string;
  /** Serialized as JSON, which needs less memory than the object. */
  readonly text: string;
  /** Whether it is the last event of its stream. */
  readonly isResponse: boolean;
}

/** For one session. */
const maxEvents = 100;
const maxCharacters = 256 * 1024;

/** Messages that only end a stream, and are not sent. */
const ends = new WeakSet<JSONRPCMessage>();

/** Creates a message that ends, when stored, the stream of a request without a response. */
export function endOfStream(id: RequestId): JSONRPCMessage {
  const end: JSONRPCMessage = { jsonrpc: '2.0', id, error: { code: 0, message: 'Cancelled' } };
  ends.add(end);
  return end;
}

/** Limits the total size of the events of all sessions: the oldest event of any session is evicted first. */
export class EventMemory {
  readonly #maxCharacters: number;
  /** In order of age, oldest first. */
  readonly #owners = new Map<StoredEvent, SessionEvents>();
  #size = 0;

  constructor(maxCharactersOfAll: number) {
    this.#maxCharacters = maxCharactersOfAll;
  }

  add(event: StoredEvent, owner: SessionEvents): void {
    this.#owners.set(event, owner);
    this.#size += event.text.length;
    for (const eldest of this.#owners.values()) {
      if (this.#size <= this.#maxCharacters) return;
      eldest.forgetOldest();
    }
  }

  delete(event: StoredEvent): void {
    if (this.#owners.delete(event)) this.#size -= event.text.length;
  }
}

/**
 * Stores the events of one session up to a limit, and evicts the oldest.
 *
 * Without the interface's optional `getStreamIdForEventId`, with which the SDK refuses to resume a stream whose
 * connection it has not seen close: here the newer connection replaces it.
 */
export class SessionEvents implements EventStore {
  readonly #memory: EventMemory;
  readonly #events: StoredEvent[] = [];
  /** Streams that ended without a response. */
  readonly #over = new Set<string>();
  #size = 0;
  #last = 0;

  constructor(memory: EventMemory) {
    this.#memory = memory;
  }

  storeEvent(streamId: string, message: JSONRPCMessage): Promise<string> {
    if (ends.has(message)) {
      this.#over.add(streamId);
      for (const oldest of this.#over) if (this.#over.size > maxEvents) this.#over.delete(oldest);
      return Promise.resolve(String(this.#last));
    }
    const id = String((this.#last += 1));
    const isResponse = 'result' in message || 'error' in message;
    const event = { id, streamId, text: jsonLine(message), isResponse };
    this.#events.push(event);
    this.#size += event.text.length;
    this.#memory.add(event, this);
    while (this.#events.length > maxEvents || this.#size > maxCharacters) this.forgetOldest();
    return Promise.resolve(id);
  }

  /** Whether the event is stored, so that its stream can be resumed. */
  has(id: string): boolean {
    return this.#events.some((event) => event.id === id);
  }

  /**
   * Returns the events after this one as an event stream, if its stream is complete: no further event can follow.
   * Such a stream must not be reopened: the SDK would keep it, and the session, open.
   */
  restOfComplete(id: string): string | undefined {
    const index = this.#events.findIndex((event) => event.id === id);
    const last = this.#events[index];
    if (!last) return undefined;
    if (this.#over.has(last.streamId)) return '';
    const rest = this.#events.slice(index + 1).filter(({ streamId }) => streamId === last.streamId);
    if (![last, ...rest].some(({ isResponse }) => isResponse)) return undefined;
    return rest.map((item) => `event: message\nid: ${item.id}\ndata: ${item.text}\n\n`).join('');
  }

  async replayEventsAfter(
    lastId: string,
    { send }: { send: (id: string, message: JSONRPCMessage) => Promise<void> },
  ): Promise<string> {
    const index = this.#events.findIndex(({ id }) => id === lastId);
    const last = this.#events[index];
    if (!last) throw new Error('The event is forgotten');
    for (const { id, streamId, text } of this.#events.slice(index + 1)) {
      const message = JSON.parse(text) as JSONRPCMessage;
      // An event without a message only marks the start of a stream.
      if (streamId === last.streamId && 'jsonrpc' in message) await send(id, message);
    }
    return last.streamId;
  }

  forgetOldest(): void {
    const event = this.#events.shift();
    if (event === undefined) return;
    this.#size -= event.text.length;
    this.#memory.delete(event);
  }

  clear(): void {
    while (this.#events.length > 0) this.forgetOldest();
  }
}
