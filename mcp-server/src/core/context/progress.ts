/** Progress as the protocol wants it: it grows, it does not flood, and none comes after the result (M21). */

export interface ProgressReport {
  readonly progress: number;
  readonly total?: number;
  readonly message?: string;
}

export interface Progress {
  /** Sends it, or keeps it as the newest until the next may be sent. What has not grown is dropped. */
  report(progress: number, message?: string, total?: number): Promise<void>;
  /** Says something without being further: it counts as next to nothing, so that a tool's own reports still grow. */
  mention(message: string): Promise<void>;
  /**
   * Says again and again that the call goes on, for callers whose patience a report renews, as
   * {@link mention} does. @returns Ends it.
   */
  keepAlive(message: string): () => void;
  /** Sends what is still kept. Call it before the result is sent; what is reported later is dropped. */
  finish(): Promise<void>;
}

/** Between two reports. */
const intervalMs = 250;

/** Clients give up after a minute as a rule. */
const keepAliveMs = 15_000;

/** @param send What it throws is dropped: a call does not fail because nobody could be told how far it is. */
export function createProgress(send: (report: ProgressReport) => Promise<void> | void): Progress {
  let furthest = -Infinity;
  let kept: ProgressReport | undefined;
  let timer: NodeJS.Timeout | undefined;
  let isFinished = false;

  async function sendKept(): Promise<void> {
    if (kept === undefined) return;
    const report = kept;
    kept = undefined;
    try {
      await send(report);
    } catch {
      // The caller is gone, and the call's own signal says so.
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

  async function report(progress: number, message?: string, total?: number): Promise<void> {
    if (isFinished || !Number.isFinite(progress) || progress <= furthest) return;
    furthest = progress;
    kept = {
      progress,
      ...(total !== undefined && Number.isFinite(total) && total >= progress && { total }),
      ...(message !== undefined && { message }),
    };
    if (timer !== undefined) return;
    rest();
    await sendKept();
  }

  function mention(message: string): Promise<void> {
    const next = furthest === -Infinity ? 0 : furthest + Math.max(1, Math.abs(furthest)) / 1e6;
    return report(next, message);
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
