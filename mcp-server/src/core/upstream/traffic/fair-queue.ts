/** Whose call of the wrapped service is next, when all that may run do. */

export interface QueuedCall {
  /** Nobody waits for it any more. */
  readonly isAborted: boolean;
  begin(): void;
}

/**
 * So many at once. The callers who wait are served in turn, a call each: one who asks a hundred times at once
 * keeps another waiting for a single call to end, and not for a hundred.
 */
export class FairQueue {
  #free: number;
  #isServing = false;
  /** By caller, in the order in which they are served next. */
  readonly #queues = new Map<string, QueuedCall[]>();

  constructor(most: number) {
    this.#free = most;
  }

  /** Begins at once, or in its turn. */
  acquire(caller: string, waiting: QueuedCall): void {
    if (this.#free > 0) {
      this.#free -= 1;
      waiting.begin();
      return;
    }
    const queue = this.#queues.get(caller);
    if (queue) queue.push(waiting);
    else this.#queues.set(caller, [waiting]);
  }

  /** Called once by each call that began. */
  release(): void {
    this.#free += 1;
    // What begins may end within it, thousands in a row when the client closes: no recursion.
    if (this.#isServing) return;
    this.#isServing = true;
    try {
      while (this.#free > 0 && this.#queues.size > 0) {
        const next = this.#next();
        if (!next || next.isAborted) continue;
        this.#free -= 1;
        next.begin();
      }
    } finally {
      this.#isServing = false;
    }
  }

  #next(): QueuedCall | undefined {
    for (const [caller, queue] of this.#queues) {
      const next = queue.shift();
      if (queue.length === 0) {
        this.#queues.delete(caller);
      } else if (this.#queues.size > 1) {
        this.#queues.delete(caller);
        this.#queues.set(caller, queue);
      }
      return next;
    }
    return undefined;
  }
}
