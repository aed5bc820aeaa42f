/**
 * Counts running calls, so that a shutdown can wait for them. Only a counter, because it is on the path of every
 * call.
 */
export class RunningCalls {
  #count = 0;
  #idle: (() => void) | undefined;

  begin(): void {
    this.#count += 1;
  }

  end(): void {
    this.#count -= 1;
    if (this.#count === 0) this.#idle?.();
  }

  /** Resolves when no call is running, or after `milliseconds`. */
  async finished(milliseconds: number): Promise<void> {
    if (this.#count === 0) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, milliseconds);
      this.#idle = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  /** Ends the wait of {@link finished} early. */
  giveUp(): void {
    this.#idle?.();
  }
}
