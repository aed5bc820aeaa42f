/**
 * Counts running calls, so that a shutdown can wait for them. Only a counter, because it is on the path of every
 * call.
 */
export class RunningCalls {
  #count = 0;
  readonly #waiting = new Set<() => void>();

  begin(): void {
    this.#count += 1;
  }

  end(): void {
    this.#count -= 1;
    if (this.#count === 0) this.giveUp();
  }

  /** Resolves when no call is running, or after `milliseconds`. */
  async finished(milliseconds: number): Promise<void> {
    if (this.#count === 0) return;
    await new Promise<void>((resolve) => {
      const stop = (): void => {
        clearTimeout(timer);
        this.#waiting.delete(stop);
        resolve();
      };
      const timer = setTimeout(stop, milliseconds);
      this.#waiting.add(stop);
    });
  }

  /** Ends every wait of {@link finished}. */
  giveUp(): void {
    for (const stop of this.#waiting) stop();
  }
}
