/** Fair scheduling of upstream calls when all slots are taken. */

export interface QueuedCall {
  /** True if the call was aborted while it waited. */
  readonly isAborted: boolean;
  begin(): void;
}

/**
 * Limits concurrency. Waiting callers are served round-robin, one call each: another caller's hundred queued calls
 * delay a caller by one call instead of a hundred.
 */
export class FairQueue {
  #free: number;
  #isServing = false;
  /** By caller, in the order in which they are served. */
  readonly #queues = new Map<string, QueuedCall[]>();

  constructor(most: number) {
    this.#free = most;
  }

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

  /** Must be called once for each call that began. */
  release(): void {
    this.#free += 1;
    // A call can end synchronously within `begin()`, thousands in a row when the client closes: a loop avoids
    // recursion.
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
