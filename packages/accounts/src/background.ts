/** Work that continues after its response, such as a mail that nobody waits for. */
import { setTimeout as pause } from 'node:timers/promises';
import { backgroundDelay } from './costs.ts';
import type { AccountsSite } from './site.ts';

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

/** Waits for the work in progress, and for what it starts: a sign-up that was answered is kept. */
export async function finishBackgroundWork({ log }: Logging): Promise<void> {
  const timer = new AbortController();
  const late = pause(patience, 'late', { signal: timer.signal }).catch(() => 'ended');
  while (running.size > 0) {
    if ((await Promise.race([Promise.all(running), late])) === 'late') {
      log.warn({ running: running.size }, 'background work of accounts is lost at the stop');
      break;
    }
  }
  timer.abort();
}
