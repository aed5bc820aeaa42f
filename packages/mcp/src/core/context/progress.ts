/**
 * Progress notifications as the protocol requires them: increasing, rate-limited, and none after the result (M21).
 */
import { truncated } from '../result/format.ts';

export interface ProgressReport {
  readonly progress: number;
  readonly total?: number;
  readonly message?: string;
}

export interface Progress {
  /** Sends the report, or keeps it as the latest until the next interval. Drops it if `progress` did not increase. */
  report(progress: number, message?: string, total?: number): Promise<void>;
  /**
   * Sends a message without real progress: `progress` increases by a negligible amount, so that later reports of
   * the tool still increase.
   */
  mention(message: string): Promise<void>;
  /**
   * Repeats `message` with {@link mention} at a fixed interval, for clients whose timeout a notification resets.
   *
   * @returns A function that stops the repetition.
   */
  keepAlive(message: string): () => void;
  /** Sends the pending report. Call it before the result is sent; later reports are dropped. */
  finish(): Promise<void>;
}

/** Minimum time between two notifications. */
const intervalMs = 250;

/** A message can contain text of the service, whose length nobody knows. */
const longestMessage = 1_000;

/** Most clients time out after 60 seconds. */
const keepAliveMs = 15_000;

/** @param send Errors are ignored: a call must not fail because its progress could not be sent. */
export function createProgress(send: (report: ProgressReport) => Promise<void> | void): Progress {
  /** What was sent, mentions included. */
  let furthest = -Infinity;
  /** What the tool has reported. */
  let reported = -Infinity;
  let kept: ProgressReport | undefined;
  let timer: NodeJS.Timeout | undefined;
  let isFinished = false;

  async function sendKept(): Promise<void> {
    if (kept === undefined) return;
    const latest = kept;
    kept = undefined;
    try {
      await send(latest);
    } catch {
      // The client has disconnected; the call's own signal reports that.
    }
  }

  function rest(): void {
    timer = setTimeout(() => {
      timer = undefined;
      if (kept === undefined) return;
      rest();
      void sendKept();
    }, intervalMs);
    timer.unref();
  }

  /** The smallest progress that can still be sent. */
  function next(): number {
    return furthest === -Infinity ? 0 : furthest + Math.max(1, Math.abs(furthest)) / 1e6;
  }

  async function report(progress: number, message?: string, total?: number): Promise<void> {
    if (!Number.isFinite(progress) || progress <= reported) return;
    reported = progress;
    // A mention may have come first, and reached as far.
    await keep(progress > furthest ? progress : next(), message, total);
  }

  async function keep(progress: number, message?: string, total?: number): Promise<void> {
    if (isFinished) return;
    furthest = progress;
    kept = {
      progress,
      ...(total !== undefined && Number.isFinite(total) && total >= progress && { total }),
      ...(message !== undefined && { message: truncated(message, longestMessage) }),
    };
    if (timer !== undefined) return;
    rest();
    await sendKept();
  }

  function mention(message: string): Promise<void> {
    return keep(next(), message);
  }

  return {
    report,
    mention,
    keepAlive(message) {
      const repeating = setInterval(() => void mention(message), keepAliveMs).unref();
      return () => {
        clearInterval(repeating);
      };
    },
    async finish() {
      isFinished = true;
      clearTimeout(timer);
      await sendKept();
    },
  };
}
