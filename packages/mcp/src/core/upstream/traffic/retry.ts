/** Decides whether and when to retry an upstream call. */
import { UpstreamConnectionError, UpstreamStatusError } from '../../result/errors.ts';

const firstBackoffMs = 100;

/**
 * Returns the delay before the next attempt in milliseconds, at least what `Retry-After` requires. Undefined if the
 * failure is final. Random jitter spreads the retries of callers that failed together.
 *
 * @param attempt The number of attempts so far.
 * @param random From 0 to 1.
 * @param now Milliseconds since 1970.
 */
export function waitBeforeRetry(
  error: unknown,
  attempt: number,
  random = Math.random(),
  now = Date.now(),
): number | undefined {
  const backoff = firstBackoffMs * 2 ** (attempt - 1) * random;
  if (error instanceof UpstreamConnectionError) {
    return error.cause === 'ECONNREFUSED' ? firstBackoffMs + backoff : undefined;
  }
  if (!(error instanceof UpstreamStatusError) || ![429, 503].includes(error.status))
    return undefined;
  const requestedMs = retryAfterMs(error.retryAfter, now);
  return requestedMs === undefined ? undefined : requestedMs + backoff;
}

/** Parses `Retry-After` (RFC 9110, section 10.2.3): seconds or a date. */
export function retryAfterMs(header: string | undefined, now = Date.now()): number | undefined {
  if (header === undefined) return undefined;
  if (/^\d{1,9}$/.test(header)) return Number(header) * 1_000;
  const date = /^[A-Z][a-z]{2,8}, .* GMT$/.test(header) ? Date.parse(header) : Number.NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}
