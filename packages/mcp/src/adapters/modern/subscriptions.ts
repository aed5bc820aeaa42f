/** The open subscriptions of this process: limited in number, and ended at shutdown. */
import type { Change, ChangeListener, Changes } from '../../core/context/changes.ts';

export interface Subscription {
  /** Resolves when the server shuts down. */
  readonly ended: Promise<void>;
  close(): void;
}

export class Subscriptions {
  readonly #changes: Changes | undefined;
  readonly #most: number;
  readonly #open = new Set<() => void>();
  readonly #listeners = new Set<ChangeListener>();
  #isClosed = false;

  /** @param changes Absent if the service publishes no changes. */
  constructor(changes: Changes | undefined, most: number) {
    this.#changes = changes;
    this.#most = most;
  }

  get isOffered(): boolean {
    return this.#changes !== undefined;
  }

  /** Undefined if the limit is reached. */
  open(): Subscription | undefined {
    if (this.#open.size >= this.#most) return undefined;
    let end: () => void = () => undefined;
    const ended = new Promise<void>((resolve) => (end = resolve));
    if (this.#isClosed) end();
    this.#open.add(end);
    return { ended, close: () => this.#open.delete(end) };
  }

  /**
   * Listens to all changes: of this process and of others.
   *
   * @returns A function that removes the listener.
   */
  listen(listener: ChangeListener): () => void {
    const stop = this.listenToOwn(listener);
    this.#listeners.add(listener);
    return () => {
      stop();
      this.#listeners.delete(listener);
    };
  }

  /**
   * Listens to the changes that the service of this process publishes.
   *
   * @returns A function that removes the listener.
   */
  listenToOwn(listener: ChangeListener): () => void {
    return this.#changes?.listen(listener) ?? (() => undefined);
  }

  /** Publishes a change that another process reported. */
  publish(change: Change, callerId?: string): void {
    for (const listener of this.#listeners) listener(change, callerId);
  }

  /** Ends every subscription with a response. Later ones end at once. */
  close(): void {
    this.#isClosed = true;
    for (const end of this.#open) end();
  }
}
