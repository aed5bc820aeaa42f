/** Aborts an upstream call when its caller is gone or at its deadline. */
import type { Cancellation } from '../../context/cancellation.ts';
import { UpstreamTimeoutError } from '../../result/errors.ts';

/** Created for each call, because an `AbortSignal` with its `EventTarget` costs several times as much. */
export class CallSignal {
  aborted = false;
  /** Set once aborted: the caller's own reason, which can be any value, or the timeout error. */
  reason!: Error;
  readonly #listeners: (() => void)[] = [];
  readonly #caller: Cancellation;
  readonly #timer: NodeJS.Timeout;
  readonly #onCallerGone = () => {
    this.#abort(this.#caller.reason as Error);
  };

  /**
   * @param caller Must not be aborted yet.
   * @param milliseconds Time until it aborts with an UpstreamTimeoutError.
   */
  constructor(caller: Cancellation, milliseconds: number) {
    this.#caller = caller;
    this.#timer = setTimeout(() => {
      this.#abort(new UpstreamTimeoutError(`No whole answer in ${milliseconds} ms`));
    }, milliseconds);
    caller.addEventListener('abort', this.#onCallerGone);
  }

  /** Calls the listener immediately if already aborted. */
  onAbort(listener: () => void): void {
    if (this.aborted) listener();
    else this.#listeners.push(listener);
  }

  /** Settles with the work, or rejects with the reason as soon as the signal aborts. */
  race<Value>(work: Promise<Value>): Promise<Value> {
    return new Promise((resolve, reject) => {
      this.onAbort(() => {
        reject(this.reason);
      });
      work.then(resolve, reject);
    });
  }

  /** Clears the timer and removes the listener. */
  end(): void {
    clearTimeout(this.#timer);
    this.#caller.removeEventListener('abort', this.#onCallerGone);
  }

  #abort(reason: Error): void {
    this.aborted = true;
    this.reason = reason;
    for (const listener of this.#listeners) listener();
  }
}
