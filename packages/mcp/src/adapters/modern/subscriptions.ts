/** The open subscriptions of this process: limited in number, and ended at shutdown. */
import type { Change, ChangeListener, Changes } from '../../core/context/changes.ts';

export interface Subscription {
  /** Receives all changes: of this process and of others. */
  readonly receive: ChangeListener;
  /** Called when the server shuts down. */
  readonly end: () => void;
}

export class Subscriptions {
  readonly #changes: Changes | undefined;
  readonly #most: number;
  readonly #open = new Set<Subscription>();
  #isClosed = false;

  /** @param changes Absent if the service publishes no changes. */
  constructor(changes: Changes | undefined, most: number) {
    this.#changes = changes;
    this.#most = most;
  }

  get isOffered(): boolean {
    return this.#changes !== undefined;
  }

  /** @returns A function that closes the subscription. Undefined if the limit is reached. */
  open(subscription: Subscription): (() => void) | undefined {
    if (this.#open.size >= this.#most) return undefined;
    const stop = this.listenToOwn(subscription.receive);
    this.#open.add(subscription);
    if (this.#isClosed) subscription.end();
    return () => {
      stop();
      this.#open.delete(subscription);
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

  publish(change: Change, callerId?: string): void {
    for (const { receive } of this.#open) receive(change, callerId);
  }

  /** Ends every subscription with a response. Later ones end at once. */
  close(): void {
    this.#isClosed = true;
    for (const { end } of this.#open) end();
  }
}
