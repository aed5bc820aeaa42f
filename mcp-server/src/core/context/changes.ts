/** What changes in a service while clients look on: told by the service, heard by whatever serves it. */

export type Change =
  | { readonly kind: 'resource'; readonly uri: string }
  /** Resources came or went. */
  | { readonly kind: 'resource list' }
  /** Nobody knows what: other processes could not be heard for a while. */
  | { readonly kind: 'unknown' };

export type ChangeListener = (change: Change, callerId: string | undefined) => void;

/** A service makes one at its start, keeps it in its state, and gives it along as `changes`. */
export class Changes {
  readonly #listeners = new Set<ChangeListener>();

  /**
   * A resource is no longer what it was.
   *
   * @param callerId Whose resource it is; without it all who listen to its address are told.
   */
  updated(uri: string, callerId?: string): void {
    this.#tell({ kind: 'resource', uri }, callerId);
  }

  /** `resources/list` gives another list than before. */
  listChanged(callerId?: string): void {
    this.#tell({ kind: 'resource list' }, callerId);
  }

  /** @returns Ends it. */
  listen(listener: ChangeListener): () => void {
    this.#listeners.add(listener);
    return () => {
      this.#listeners.delete(listener);
    };
  }

  #tell(change: Change, callerId: string | undefined): void {
    for (const listener of this.#listeners) listener(change, callerId);
  }
}
