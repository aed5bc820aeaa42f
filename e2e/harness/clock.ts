/**
 * A clock that a test can move: expiry and progress are asked of it, so that no test has to sleep.
 */

export interface Clock {
  /** Milliseconds since the epoch, as this clock sees them. */
  now(): number;
  /** Moves the clock forward by `ms` milliseconds. */
  advance(ms: number): void;
  /** Stops the clock; `advance` still moves it. */
  freeze(): void;
  /** Lets a stopped clock run again from where it stands. */
  thaw(): void;
  /** Back to the real time, running. */
  reset(): void;
}

/** Makes a clock that shows the real time until somebody moves it. */
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
