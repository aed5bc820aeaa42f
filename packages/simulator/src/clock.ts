/**
 * A clock that tests can move: everything that expires or progresses reads it, so that no test has to sleep.
 */

export interface Clock {
  /** Milliseconds since the epoch, according to this clock. */
  now(): number;
  /** Moves the clock forward by `ms` milliseconds. */
  advance(ms: number): void;
  /** Stops the clock; `advance` still moves it. */
  freeze(): void;
  /** Resumes a frozen clock from its current time. */
  thaw(): void;
  /** Returns to the real time, running. */
  reset(): void;
}

/** Creates a clock that follows the real time until it is moved. */
export function createClock(): Clock {
  let offset = 0;
  let frozenAt: number | null = null;

  return {
    now: () => frozenAt ?? Date.now() + offset,
    advance(ms) {
      if (frozenAt === null) offset += ms;
      else frozenAt += ms;
    },
    freeze() {
      frozenAt ??= Date.now() + offset;
    },
    thaw() {
      if (frozenAt === null) return;
      offset = frozenAt - Date.now();
      frozenAt = null;
    },
    reset() {
      offset = 0;
      frozenAt = null;
    },
  };
}
