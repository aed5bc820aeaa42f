/** Aborts an upstream call when its caller is gone or at its deadline. */
import { LightSignal, type Cancellation } from '../../context/cancellation.ts';
import { UpstreamTimeoutError } from '../../result/errors.ts';

export class CallSignal extends LightSignal {
  declare reason: Error;
  readonly #caller: Cancellation;
  readonly #timer: NodeJS.Timeout;
  readonly #onCallerGone = () => {
    this.abort(this.#caller.reason);
  };

  /**
   * @param caller Must not be aborted yet. Its reason can be any value.
   * @param milliseconds Time until it aborts with an UpstreamTimeoutError.
   */
  constructor(caller: Cancellation, milliseconds: number) {
    super();
    this.#caller = caller;
    this.#timer = setTimeout(() => {
      this.abort(new UpstreamTimeoutError(`No whole answer in ${milliseconds} ms`));
    }, milliseconds);
    caller.addEventListener('abort', this.#onCallerGone);
  }

  /** Calls the listener immediately if already aborted. */
  onAbort(listener: () => void): void {
    if (this.aborted) listener();
    else this.addEventListener('abort', listener);
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

  end(): void {
    clearTimeout(this.#timer);
    this.#caller.removeEventListener('abort', this.#onCallerGone);
  }
}
