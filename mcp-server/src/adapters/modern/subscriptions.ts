/** Who listens, in one process: a bounded number, all of them ended when the server is. */
import type { ChangeListener, Changes } from '../../core/context/changes.ts';

export interface Subscription {
  /** Settles when the server ends. */
  readonly ended: Promise<void>;
  close(): void;
}

export class Subscriptions {
  readonly #changes: Changes | undefined;
  readonly #most: number;
  readonly #open = new Set<() => void>();
  #isClosed = false;

  /** @param changes Absent where the service tells of none. */
  constructor(changes: Changes | undefined, most: number) {
    this.#changes = changes;
    this.#most = most;
  }

  get isOffered(): boolean {
    return this.#changes !== undefined;
  }

  /** Undefined when there are as many as may be. */
  open(): Subscription | undefined {
    if (this.#open.size >= this.#most) return undefined;
    let end: () => void = () => undefined;
    const ended = new Promise<void>((resolve) => (end = resolve));
    if (this.#isClosed) end();
    this.#open.add(end);
    return { ended, close: () => this.#open.delete(end) };
  }

  /** @returns Ends it. */
  hear(listener: ChangeListener): () => void {
    return this.#changes?.listen(listener) ?? (() => undefined);
  }

  /** Every one ends with an answer, and each that comes later at once. */
  close(): void {
    this.#isClosed = true;
    for (const end of this.#open) end();
  }
}
