/**
 * Progress notifications as the protocol requires them: increasing, rate-limited, and none after the result (M21).
 */
import { truncated } from '../result/format.ts';

export interface ProgressReport {
  readonly progress: number;
  readonly total?: number;
  readonly message?: string;
}

/** Minimum time between two notifications. */
const intervalMs = 250;

/** A message can contain text of the service, whose length nobody knows. */
const longestMessage = 1_000;

/** Most clients time out after 60 seconds. */
const keepAliveMs = 15_000;

export class Progress {
  readonly #send: (report: ProgressReport) => Promise<void> | void;
  /** What was sent, mentions included. */
  #furthest = -Infinity;
  /** What the tool has reported. */
  #reported = -Infinity;
  #kept: ProgressReport | undefined;
  #timer: NodeJS.Timeout | undefined;
  #isFinished = false;

  /** @param send Errors are ignored: a call must not fail because its progress could not be sent. */
  constructor(send: (report: ProgressReport) => Promise<void> | void) {
    this.#send = send;
  }

  /** Sends the report, or keeps it as the latest until the next interval. Drops it if `progress` did not increase. */
  async report(progress: number, message?: string, total?: number): Promise<void> {
    if (!Number.isFinite(progress) || progress <= this.#reported) return;
    this.#reported = progress;
    // A mention may have come first, and reached as far.
    await this.#keep(progress > this.#furthest ? progress : this.#next(), message, total);
  }

  /**
   * Sends a message without real progress: `progress` increases by a negligible amount, so that later reports of
   * the tool still increase.
   */
  mention(message: string): Promise<void> {
    return this.#keep(this.#next(), message);
  }

  /**
   * Repeats `message` with {@link mention} at a fixed interval, for clients whose timeout a notification resets.
   *
   * @returns A function that stops the repetition.
   */
  keepAlive(message: string): () => void {
    const repeating = setInterval(() => void this.mention(message), keepAliveMs).unref();
    return () => {
      clearInterval(repeating);
    };
  }

  /** Sends the pending report. Call it before the result is sent; later reports are dropped. */
  async finish(): Promise<void> {
    this.#isFinished = true;
    clearTimeout(this.#timer);
    await this.#sendKept();
  }

  /** The smallest progress that can still be sent. */
  #next(): number {
    const furthest = this.#furthest;
    return furthest === -Infinity ? 0 : furthest + Math.max(1, Math.abs(furthest)) / 1e6;
  }

  async #keep(progress: number, message?: string, total?: number): Promise<void> {
    if (this.#isFinished) return;
    this.#furthest = progress;
    this.#kept = {
      progress,
      ...(total !== undefined && Number.isFinite(total) && total >= progress && { total }),
      ...(message !== undefined && { message: truncated(message, longestMessage) }),
    };
    if (this.#timer !== undefined) return;
    this.#rest();
    await this.#sendKept();
  }

  #rest(): void {
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      if (this.#kept === undefined) return;
      this.#rest();
      void this.#sendKept();
    }, intervalMs);
    this.#timer.unref();
  }

  async #sendKept(): Promise<void> {
    if (this.#kept === undefined) return;
    const latest = this.#kept;
    this.#kept = undefined;
    try {
      await this.#send(latest);
    } catch {
      // The client has disconnected; the call's own signal reports that.
    }
  }
}
