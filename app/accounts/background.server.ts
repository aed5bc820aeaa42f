/** Work that continues after its response, such as a mail that nobody waits for. */
import { log } from 'site-server/log';

/** Starts the work and returns at once. A failure is logged. */
export function runInBackground(work: () => Promise<unknown>): void {
  work().catch((error: unknown) => {
    log.error({ err: error }, 'background work of an account failed');
  });
}
