/** Sends a request, and retries it where that is safe, until success, a final failure or the deadline. */
import { setTimeout as setTimer } from 'node:timers/promises';
import { wholeSignal } from '../../context/cancellation.ts';
import type { UpstreamCall } from '../../context/tool-context.ts';
import { UpstreamStatusError } from '../../result/errors.ts';
import type { RawResponse } from '../response/response.ts';
import type { CallSignal } from './call-signal.ts';
import { sendRequest, type OutgoingRequest } from './send-request.ts';
import { Pace, type RateLimit } from '../traffic/pace.ts';
import { retryAfterMs, waitBeforeRetry } from '../traffic/retry.ts';

export interface RetryOptions {
  /** Maximum number of attempts, including the first. Default: 3. */
  readonly attempts?: number;
  /** Waits before an attempt. Tests pass their own. */
  readonly wait?: (milliseconds: number, signal: AbortSignal) => Promise<void>;
}

interface RetryingSenderOptions {
  readonly timeoutMs: number;
  readonly retry: RetryOptions | undefined;
  readonly rateLimit: RateLimit | undefined;
}

/** A request whose credential header and `onHeaders` callback are set later. */
export interface Outgoing extends OutgoingRequest {
  readonly request: OutgoingRequest['request'] & { readonly headers: Record<string, string> };
  onHeaders: OutgoingRequest['onHeaders'];
}

export interface RunningCall {
  readonly call: UpstreamCall;
  readonly signal: CallSignal;
  /** A time of `performance.now()`. */
  readonly started: number;
}

/** Creates the sender shared by all requests of a client, so that they share the state of the rate limit. */
export function createRetryingSender({
  timeoutMs,
  retry: { attempts = 3, wait = sleep } = {},
  rateLimit,
}: RetryingSenderOptions) {
  const pace = rateLimit && new Pace(rateLimit);

  return async (
    outgoing: Outgoing,
    isRepeatable: boolean,
    credential: string,
    { call, signal, started }: RunningCall,
  ): Promise<RawResponse> => {
    const left = (): number => timeoutMs - (performance.now() - started);
    if (pace?.readsHeaders) {
      outgoing.onHeaders = (raw) => {
        pace.learn(credential, raw);
      };
    }
    let why = 'The service’s rate limit leaves no request at the moment';
    let pause = pace?.take(credential, left()) ?? 0;
    if (pause > 0 && pause >= left()) {
      throw new UpstreamStatusError(429, String(Math.ceil(pause / 1_000)));
    }
    for (let sentTimes = 1; ; sentTimes += 1) {
      if (pause > 0) {
        const seconds = Math.ceil(pause / 100) / 10;
        void call.reportPause?.(`${why}: waiting ${seconds} s`, { attempt: sentTimes });
        await signal.race(wait(pause, wholeSignal(call.cancellation)));
      }
      try {
        return await sendRequest(outgoing, signal);
      } catch (error) {
        if (error instanceof UpstreamStatusError && error.status === 429) {
          pace?.pause(credential, retryAfterMs(error.retryAfter) ?? 0);
        }
        const delay =
          isRepeatable && sentTimes < attempts ? waitBeforeRetry(error, sentTimes) : undefined;
        if (delay === undefined || delay >= left()) throw error;
        pause = Math.max(delay, pace?.take(credential, left()) ?? 0);
        if (pause >= left()) throw error;
        why = reasonToWait(error);
      }
    }
  };
}

function reasonToWait(error: unknown): string {
  return error instanceof UpstreamStatusError
    ? `The service answered with status ${error.status}`
    : 'The service refused the connection';
}

async function sleep(milliseconds: number, signal: AbortSignal): Promise<void> {
  await setTimer(milliseconds, undefined, { signal });
}
