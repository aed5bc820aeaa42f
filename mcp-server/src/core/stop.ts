/** What ends an upstream call early: its caller's going away, or its deadline. */
import { UpstreamTimeoutError } from './errors.ts';

/**
 * As much of an `AbortSignal` as undici needs. One is made for each upstream call, and a real one with
 * its event target costs several times as much.
 */
export class Stop {
  aborted = false;
  /** Set once aborted. A caller may abort with anything: it is passed on as it is. */
  reason!: Error;
  readonly #listeners = new Set<() => void>();
  readonly #caller: AbortSignal;
  readonly #timer: NodeJS.Timeout;
  readonly #onCallerGone = () => {
    this.#abort(this.#caller.reason as Error);
  };

  /** @param milliseconds Until an UpstreamTimeoutError. */
  constructor(caller: AbortSignal, milliseconds: number) {
    this.#caller = caller;
    this.#timer = setTimeout(() => {
      this.#abort(new UpstreamTimeoutError(`No whole answer in ${milliseconds} ms`));
    }, milliseconds);
    caller.addEventListener('abort', this.#onCallerGone);
    if (caller.aborted) this.#onCallerGone();
  }

  addEventListener(_type: 'abort', listener: () => void): void {
    this.#listeners.add(listener);
  }

  removeEventListener(_type: 'abort', listener: () => void): void {
    this.#listeners.delete(listener);
  }

  throwIfAborted(): void {
    if (this.aborted) throw this.reason;
  }

  /** The work's outcome; the reason at once when stopped, whatever the work does then. */
  race<Value>(work: Promise<Value>): Promise<Value> {
    return new Promise((resolve, reject) => {
      const onAbort = () => {
        reject(this.reason);
      };
      if (this.aborted) onAbort();
      this.#listeners.add(onAbort);
      work.then(resolve, reject);
    });
  }

  /** Forgets the deadline and the caller. */
  end(): void {
    clearTimeout(this.#timer);
    this.#caller.removeEventListener('abort', this.#onCallerGone);
    this.#listeners.clear();
  }

  #abort(reason: Error): void {
    if (this.aborted) return;
    this.aborted = true;
    this.reason = reason;
    for (const listener of this.#listeners) listener();
  }
}
