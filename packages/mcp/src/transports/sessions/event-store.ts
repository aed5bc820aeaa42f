/** Stores the latest events of sessions, for clients that reconnect and resume a stream. */
import { eventOf, type EventStream } from './event-stream.ts';

export interface Stream {
  /** Absent while no client is connected for it. */
  reader?: EventStream | undefined;
  /** Whether no further event can follow. */
  isOver: boolean;
}

interface StoredEvent {
  readonly id: string;
  readonly stream: Stream;
  /** Serialized as JSON, which needs less memory than the object. */
  readonly text: string;
}

const maxEvents = 100;
const maxCharacters = 256 * 1024;

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

/** Stores the events of one session up to a limit, and evicts the oldest. */
export class SessionEvents {
  readonly #memory: EventMemory;
  readonly #events: StoredEvent[] = [];
  #size = 0;
  #last = 0;

  constructor(memory: EventMemory) {
    this.#memory = memory;
  }

  add(stream: Stream, text: string): string {
    const id = String((this.#last += 1));
    const event = { id, stream, text };
    this.#events.push(event);
    this.#size += text.length;
    this.#memory.add(event, this);
    while (this.#events.length > maxEvents || this.#size > maxCharacters) this.forgetOldest();
    return id;
  }

  /** Returns the events of a stream after this one. Undefined if this one is not stored. */
  after(lastId: string): { readonly stream: Stream; readonly text: string } | undefined {
    const index = this.#events.findIndex(({ id }) => id === lastId);
    const stream = this.#events[index]?.stream;
    if (!stream) return undefined;
    const rest = this.#events.slice(index + 1).filter((event) => event.stream === stream);
    return { stream, text: rest.map(({ id, text }) => eventOf(text, id)).join('') };
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
