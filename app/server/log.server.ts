/** Logs: one JSON line a request, and what went wrong. No query, no cookie, no name of a person. */
import { pino } from 'pino';
import { onUpstreamFailure } from '~/platform/upstream-failures.server';

/** The level is set from `LOG_LEVEL` when the server starts. */
export const log = pino(
  { base: null },
  // Lines are gathered and written together: a write for each would cost more than most answers do.
  pino.destination({ fd: 1, sync: false, minLength: 4096, periodicFlush: 1_000 }),
);

/** Why the platform could not be asked. What a visitor sees of it is only a status. */
export function logUpstreamFailures(): void {
  onUpstreamFailure(({ path, reason, cause, requestId }) => {
    const { code, message } = (cause ?? {}) as NodeJS.ErrnoException;
    log.warn(
      { requestId, path: path.replace(/\?.*/, ''), reason, code, message },
      'no answer from the platform',
    );
  });
}
