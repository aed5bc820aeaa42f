/** How many calls run, for an end that waits for them. Only counted: it is on the way of every call. */
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

  /** Waits until none runs, and no longer than so many milliseconds. */
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

  /** Whoever waits goes on. */
  giveUp(): void {
    this.#idle?.();
  }
}
