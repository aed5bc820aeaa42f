/** The one client of the wrapped service (M05, M06, M18): deadline, bounds, retries, credential. */
import { setTimeout as setTimer } from 'node:timers/promises';
import { Client, Pool } from 'undici';
import type { z } from 'zod';
import { sendRequest } from './send-request.ts';
import { wholeSignal } from '../context/cancellation.ts';
import type { GivenSecret, ToolContext } from '../context/tool-context.ts';
import type { Credentials } from './credentials.ts';
import type { UpstreamPath } from './path.ts';
import { noContent, UpstreamResponseError } from '../result/errors.ts';
import { waitBeforeRetry } from './traffic/retry.ts';
import { CallSignal } from './call-signal.ts';
import { FairQueue } from './traffic/fair-queue.ts';

export interface UpstreamOptions {
  /** `http:` or `https:`; endpoints are below its path. */
  readonly baseUrl: string;
  /** Milliseconds for a whole call: waiting for a turn, every attempt, headers and body. */
  readonly timeoutMs?: number;
  /** Of one answer's body. */
  readonly maxBytes?: number;
  /** Calls under way at once. Further ones wait, and each caller has a turn before one has two. */
  readonly concurrency?: number;
  readonly credentials?: Credentials;
  /** Sent with each call. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly retry?: RetryOptions;
}

export interface RetryOptions {
  /** How often a call is sent at most, the first time included. */
  readonly attempts?: number;
  /** Waits before an attempt. A test gives its own. */
  readonly wait?: (milliseconds: number, signal: AbortSignal) => Promise<void>;
}

export interface RequestOptions {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** What is undefined is left out. */
  readonly query?: Readonly<Record<string, string | number | boolean | undefined>>;
  /** Sent as JSON. */
  readonly body?: unknown;
  /** Makes a POST or PATCH safe to send again, where the service honours `Idempotency-Key`. */
  readonly idempotencyKey?: string;
  /** Sent in place of the caller's credential: to try it before it is kept. */
  readonly secret?: GivenSecret;
}

/** What a call needs of its tool's context. */
export type UpstreamCall = Pick<ToolContext, 'cancellation' | 'caller' | 'timing'>;

export interface Upstream {
  /**
   * Calls the service and gives the answer's parsed JSON; undefined for 204 and 205, and for a write that is
   * answered with success and nothing more.
   *
   * Redirects are not followed. A call is sent again only when that is safe (GET, PUT, DELETE, or
   * with an idempotency key), and only after 429 or 503 with `Retry-After`, or a refused connection.
   *
   * @throws UpstreamStatusError, UpstreamTimeoutError, UpstreamConnectionError, UpstreamResponseError;
   *   the signal's reason when the caller went away.
   */
  request(endpoint: UpstreamPath, options: RequestOptions, call: UpstreamCall): Promise<unknown>;
  /** Whether the service answers at all, whatever it says, short of a 5xx. */
  isReachable(signal: AbortSignal): Promise<boolean>;
  /** Ends every connection, with the calls on them. */
  close(): Promise<void>;
}

const repeatable = new Set(['GET', 'PUT', 'DELETE']);

export function createUpstream({
  baseUrl,
  timeoutMs = 30_000,
  maxBytes = 4 * 1024 * 1024,
  concurrency = 50,
  credentials,
  headers: fixedHeaders,
  retry: { attempts = 3, wait = sleep } = {},
}: UpstreamOptions): Upstream {
  const { origin, pathname } = new URL(baseUrl);
  const prefix = pathname.replace(/\/+$/, '');
  const connection = {
    maxResponseSize: maxBytes,
    connect: { timeout: timeoutMs },
    // The call's own deadline is over both together.
    headersTimeout: 0,
    bodyTimeout: 0,
  };
  const queue = new FairQueue(concurrency);
  // A connection carries one call at a time.
  const pool = new Pool(origin, { ...connection, connections: concurrency });
  // A busy service is a ready one.
  const probe = new Client(origin, { ...connection, headersTimeout: timeoutMs });

  async function request(
    endpoint: UpstreamPath,
    { method = 'GET', query, body, idempotencyKey, secret }: RequestOptions,
    { cancellation, caller, timing }: UpstreamCall,
  ): Promise<unknown> {
    cancellation.throwIfAborted();
    const started = performance.now();
    const headers: Record<string, string> = { accept: 'application/json', ...fixedHeaders };
    const authorization = credentials?.of(caller, secret);
    if (credentials && authorization !== undefined) headers[credentials.header] = authorization;
    if (body !== undefined) headers['content-type'] = 'application/json';
    if (idempotencyKey !== undefined) headers['idempotency-key'] = idempotencyKey;
    const sent = {
      dispatcher: pool,
      request: {
        method,
        path: prefix + endpoint + searchOf(query),
        headers,
        body: body === undefined ? null : JSON.stringify(body),
      },
      queue,
      caller: caller.id,
    };
    const mayRepeat = repeatable.has(method) || idempotencyKey !== undefined;
    // Last: what throws before would leave its timer.
    const signal = new CallSignal(cancellation, timeoutMs);

    try {
      for (let sentTimes = 1; ; sentTimes += 1) {
        try {
          return parsed(await sendRequest(sent, signal), method !== 'GET');
        } catch (error) {
          const delay =
            mayRepeat && sentTimes < attempts ? waitBeforeRetry(error, sentTimes) : undefined;
          if (delay === undefined || performance.now() - started + delay >= timeoutMs) throw error;
          await signal.race(wait(delay, wholeSignal(cancellation)));
        }
      }
    } finally {
      signal.end();
      if (timing) timing.upstreamMs += performance.now() - started;
    }
  }

  return {
    request,
    async isReachable(signal) {
      try {
        const path = prefix === '' ? '/' : prefix;
        const { statusCode, body } = await probe.request({ method: 'GET', path, signal });
        // A body that does not end would keep the next probe waiting.
        const timer = setTimeout(() => body.destroy(), 1_000).unref();
        void body.dump({ limit: 64 * 1024 }).finally(() => {
          clearTimeout(timer);
        });
        return statusCode < 500;
      } catch {
        return false;
      }
    },
    close: async () => {
      await Promise.all([pool.destroy(), probe.destroy()]);
    },
  };
}

/** @param isWrite What was written is written, whether or not the service says more than its status. */
function parsed(text: string | undefined, isWrite: boolean): unknown {
  if (text === undefined || (isWrite && text.trim() === '')) return undefined;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw new UpstreamResponseError('The answer is not JSON');
  }
}

/** Reads an answer by the shape that a tool needs; fields that the shape does not name are left out. */
export function shaped<Shape extends z.ZodType>(shape: Shape, answer: unknown): z.output<Shape> {
  const { success, data, error } = shape.safeParse(answer);
  if (success) return data;
  if (answer === undefined) throw new UpstreamResponseError(noContent);
  // Names and values of the answer stay out of the message: they are the upstream's words.
  throw new UpstreamResponseError('The answer has not the shape it should have', {
    cause: error.issues.map(({ code }) => code).join(', '),
  });
}

function searchOf(query: RequestOptions['query'] = {}): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) search.append(name, String(value));
  }
  return search.size === 0 ? '' : `?${search.toString()}`;
}

async function sleep(milliseconds: number, signal: AbortSignal): Promise<void> {
  await setTimer(milliseconds, undefined, { signal });
}
