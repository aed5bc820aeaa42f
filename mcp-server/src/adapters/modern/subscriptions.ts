/** Who listens, in one process: a bounded number, all of them ended when the server is. */
import type { Change, ChangeListener, Changes } from '../../core/context/changes.ts';

export interface Subscription {
  /** Settles when the server ends. */
  readonly ended: Promise<void>;
  close(): void;
}

export class Subscriptions {
  readonly #changes: Changes | undefined;
  readonly #most: number;
  readonly #open = new Set<() => void>();
  readonly #listeners = new Set<ChangeListener>();
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

  /**
   * Of all changes, this process's and others'.
   *
   * @returns Ends it.
   */
  hear(listener: ChangeListener): () => void {
    const stop = this.hearOwn(listener);
    this.#listeners.add(listener);
    return () => {
      stop();
      this.#listeners.delete(listener);
    };
  }

  /**
   * Of those that this process's service tells of.
   *
   * @returns Ends it.
   */
  hearOwn(listener: ChangeListener): () => void {
    return this.#changes?.listen(listener) ?? (() => undefined);
  }

  /** A change that another process told of. */
  tell(change: Change, callerId?: string): void {
    for (const listener of this.#listeners) listener(change, callerId);
  }

  /** Every one ends with an answer, and each that comes later at once. */
  close(): void {
    this.#isClosed = true;
    for (const end of this.#open) end();
  }
}
