/** Cancellation of a call by its caller. */
import { setMaxListeners } from 'node:events';

/** An `AbortSignal`, or the cheaper signal that the transports create for each call. */
export type Cancellation = AbortSignal | LightSignal;

/**
 * The part of `AbortSignal` that most calls need, without an `EventTarget`: creating and collecting one took a
 * sixth of a call's time. {@link LightSignal.whole} creates the full `AbortSignal` on demand.
 */
export class LightSignal {
  aborted = false;
  reason: unknown;
  readonly #listeners = new Set<() => void>();
  #controller: AbortController | undefined;

  addEventListener(_type: 'abort', listener: () => void): void {
    this.#listeners.add(listener);
  }

  removeEventListener(_type: 'abort', listener: () => void): void {
    this.#listeners.delete(listener);
  }

  throwIfAborted(): void {
    if (this.aborted) throw this.reason;
  }

  /** Only the first call has an effect. */
  abort(reason: unknown = new DOMException('This operation was aborted', 'AbortError')): void {
    if (this.aborted) return;
    this.aborted = true;
    this.reason = reason;
    this.#controller?.abort(this.reason);
    for (const listener of this.#listeners) listener();
  }

  /** Returns an `AbortSignal` for `fetch`, timers and other APIs that require one. */
  whole(): AbortSignal {
    if (!this.#controller) {
      this.#controller = new AbortController();
      // Each question that a tool asks in parallel adds a listener, and Node.js warns of a leak at the eleventh.
      setMaxListeners(0, this.#controller.signal);
      if (this.aborted) this.#controller.abort(this.reason);
    }
    return this.#controller.signal;
  }
}

export function wholeSignal(signal: Cancellation): AbortSignal {
  return signal instanceof LightSignal ? signal.whole() : signal;
}
