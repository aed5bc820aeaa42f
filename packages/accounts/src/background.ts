/** Work that continues after its response, such as a mail that nobody waits for. */
import { setTimeout as pause } from 'node:timers/promises';
import { backgroundDelay } from './costs.ts';
import type { AccountsSite } from './site.ts';
import { isTemporary } from './temporary.ts';

type Logging = Pick<AccountsSite, 'log'>;

const running = new Set<Promise<void>>();

/** Milliseconds that the site waits for this work when it stops: as long as the queue of hashes. */
const patience = 10_000;

/** Starts the work shortly, when the response has been sent. A failure is logged. */
export function runInBackground({ log }: Logging, work: () => Promise<unknown>): void {
  const run = pause(backgroundDelay)
    .then(work)
    .then(
      () => undefined,
      (error: unknown) => {
        log.error({ err: error }, 'background work of an account failed');
      },
    )
    .finally(() => running.delete(run));
  running.add(run);
}

/** Milliseconds before each retry. Spread out, because the work of a burst fails together. */
const retryAfter = [1_000, 2_000, 4_000, 8_000];

/** Does again what failed for a while: nobody is there who could. */
export async function retried<Result>(work: () => Promise<Result>): Promise<Result> {
  for (const wait of retryAfter) {
    try {
      return await work();
    } catch (error) {
      if (!isTemporary(error)) throw error;
      await pause(wait * (0.5 + Math.random()), undefined, { ref: false });
    }
  }
  return work();
}

/** Waits for the work in progress, and for what it starts: a sign-up that was answered is kept. */
export async function finishBackgroundWork({ log }: Logging): Promise<void> {
  const timer = new AbortController();
  const late = pause(patience, 'late', { signal: timer.signal }).catch(() => 'ended');
  while (running.size > 0) {
    if ((await Promise.race([Promise.all(running), late])) === 'late') {
      log.warn({ running: running.size }, 'the site stops before the background work of accounts');
      break;
    }
  }
  timer.abort();
}
