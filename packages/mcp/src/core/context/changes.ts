/** Change notifications: the service publishes them, and the transports forward them to subscribed clients. */

export type Change =
  | { readonly kind: 'resource'; readonly uri: string }
  /** Resources were added or removed. */
  | { readonly kind: 'resource list' }
  /** Changes may have been missed: notifications from other processes were unavailable for a while. */
  | { readonly kind: 'unknown' };

export type ChangeListener = (change: Change, callerId: string | undefined) => void;

/** A service creates one instance in `start()`, keeps it in its state and returns it as `changes`. */
export class Changes {
  readonly #listeners = new Set<ChangeListener>();

  /**
   * Publishes a change of a resource.
   *
   * @param callerId The caller whose resource changed. If omitted, every subscriber to the URI is notified.
   */
  updated(uri: string, callerId?: string): void {
    this.#publish({ kind: 'resource', uri }, callerId);
  }

  /** Publishes a change of the result of `resources/list`. */
  listChanged(callerId?: string): void {
    this.#publish({ kind: 'resource list' }, callerId);
  }

  /** @returns A function that removes the listener. */
  listen(listener: ChangeListener): () => void {
    this.#listeners.add(listener);
    return () => {
      this.#listeners.delete(listener);
    };
  }

  #publish(change: Change, callerId: string | undefined): void {
    for (const listener of this.#listeners) listener(change, callerId);
  }
}
