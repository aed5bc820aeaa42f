/** What ends an upstream call early: its caller's going away, or its deadline. */
import type { Cancellation } from '../../context/cancellation.ts';
import { UpstreamTimeoutError } from '../../result/errors.ts';

/** One is made for each call: an `AbortSignal` with its event target costs several times as much. */
export class CallSignal {
  aborted = false;
  /** Set once aborted. A caller may abort with anything: it is passed on as it is. */
  reason!: Error;
  readonly #listeners: (() => void)[] = [];
  readonly #caller: Cancellation;
  readonly #timer: NodeJS.Timeout;
  readonly #onCallerGone = () => {
    this.#abort(this.#caller.reason as Error);
  };

  /**
   * @param caller Not gone yet.
   * @param milliseconds Until an UpstreamTimeoutError.
   */
  constructor(caller: Cancellation, milliseconds: number) {
    this.#caller = caller;
    this.#timer = setTimeout(() => {
      this.#abort(new UpstreamTimeoutError(`No whole answer in ${milliseconds} ms`));
    }, milliseconds);
    caller.addEventListener('abort', this.#onCallerGone);
  }

  /** Called at once when aborted already. */
  onAbort(listener: () => void): void {
    if (this.aborted) listener();
    else this.#listeners.push(listener);
  }

  /** The work's outcome; the reason at once when aborted, whatever the work does then. */
  race<Value>(work: Promise<Value>): Promise<Value> {
    return new Promise((resolve, reject) => {
      this.onAbort(() => {
        reject(this.reason);
      });
      work.then(resolve, reject);
    });
  }

  /** Forgets the deadline and the caller. */
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
