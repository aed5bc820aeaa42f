/** Whether a call's caller still waits. */
import { setMaxListeners } from 'node:events';

/** An `AbortSignal` is one. What the stateless transport makes for each call costs less. */
export type Cancellation = AbortSignal | LightSignal;

/**
 * The part of an `AbortSignal` that a call needs as a rule, without an event target: making and collecting
 * one took a sixth of a call's time. The whole one is made when it is asked for.
 */
export class LightSignal {
  aborted = false;
  /** An Error once aborted. */
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

  /** Once; later ones say nothing. */
  abort(): void {
    if (this.aborted) return;
    this.aborted = true;
    this.reason = new DOMException('This operation was aborted', 'AbortError');
    this.#controller?.abort(this.reason);
    for (const listener of this.#listeners) listener();
  }

  /** For `fetch`, timers, and all else that takes an `AbortSignal`. */
  whole(): AbortSignal {
    if (!this.#controller) {
      this.#controller = new AbortController();
      takeMany(this.#controller.signal);
      if (this.aborted) this.#controller.abort(this.reason);
    }
    return this.#controller.signal;
  }
}

export function wholeSignal(signal: Cancellation): AbortSignal {
  return signal instanceof LightSignal ? signal.whole() : signal;
}

/** A tool may ask for much at once, and each question listens: Node would warn of a leak at the eleventh. */
export function takeMany(signal: AbortSignal): void {
  setMaxListeners(0, signal);
}
