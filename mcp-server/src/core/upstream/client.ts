/** The one client of the wrapped service (M05, M06, M18): deadline, bounds, retries, credential. */
import { Client, Pool } from 'undici';
import type { z } from 'zod';
import {
  createRetryingSender,
  type Outgoing,
  type RetryOptions,
  type RunningCall,
} from './request/retrying-sender.ts';
import {
  bodyOf,
  headersOf,
  type BodyKind,
  type RawAnswer,
  type UpstreamAnswer,
} from './answer/answer.ts';
import { addHeaders } from './request/call-headers.ts';
import { contentOf, isEncoded } from './request/request-body.ts';
import { CallSignal } from './request/call-signal.ts';
import { serverItself, type Credentials } from './credentials.ts';
import type { UpstreamPath } from './path.ts';
import { searchOf, type Query, type QueryStyle } from './request/query.ts';
import { commonReason, reasonIn, type ReasonOf } from './answer/reason.ts';
import { AnswerCache, cacheKey } from './traffic/answer-cache.ts';
import { FairQueue } from './traffic/fair-queue.ts';
import type { RateLimit } from './traffic/pace.ts';
import type { GivenSecret, UpstreamCall } from '../context/tool-context.ts';
import { noContent, UpstreamResponseError, UpstreamStatusError } from '../result/errors.ts';

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
  readonly queryStyle?: QueryStyle;
  readonly retry?: RetryOptions;
  /**
   * What the service allows each credential. Once it is set, even to `{}`, a 429 with `Retry-After` pauses all calls
   * of that credential: leave it out where the service counts each endpoint on its own.
   */
  readonly rateLimit?: RateLimit;
  /** Of all answers that are kept (`cacheMs`): 16 MiB. */
  readonly cacheBytes?: number;
  /** Where a refusal's reason stands in its body, for `explained`. The usual places are known. */
  readonly reasonOf?: ReasonOf;
}

export interface RequestOptions {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** What is undefined is left out; lists and objects go by the client's `queryStyle`. */
  readonly query?: Query;
  /**
   * `FormData` is sent as multipart, `URLSearchParams` as a form, bytes and a `Blob` as they are; anything else
   * as JSON.
   */
  readonly body?: unknown;
  /** Of this call alone, such as `accept` or `if-match`. The credential's is never one of them (M31). */
  readonly headers?: Readonly<Record<string, string | undefined>>;
  /** How the answer's body is read: `json` unless told otherwise. */
  readonly as?: BodyKind;
  /** Gives the status and the headers too: `{ status, headers, body }`. */
  readonly whole?: boolean;
  /** Refusals whose reason the model is told, such as 422. It is the service's own text: bounded and escaped. */
  readonly explained?: readonly number[];
  /** A GET: the caller is given the same answer for so long, until they write something. */
  readonly cacheMs?: number;
  /**
   * Makes a POST or PATCH safe to send again, where the service honours `Idempotency-Key`. Needed for whatever is
   * no GET before a question to the user: `context.idempotencyKey`.
   */
  readonly idempotencyKey?: string;
  /** Sent in place of the caller's credential: to try it before it is kept. */
  readonly secret?: GivenSecret;
}

type BodyOf<Options> = Options extends { readonly as: 'text' }
  ? string
  : Options extends { readonly as: 'bytes' }
    ? Uint8Array
    : unknown;

/** What a request gives, by its options. */
export type Answered<Options> = Options extends { readonly whole: true }
  ? UpstreamAnswer<BodyOf<Options>>
  : BodyOf<Options>;

export interface Upstream {
  /**
   * Calls the service and gives the answer's parsed JSON; undefined for 204 and 205, and for a write that is
   * answered with success and nothing more.
   *
   * Redirects are not followed. A call is sent again only when that is safe (GET, PUT, DELETE, or
   * with an idempotency key), and only after 429 or 503 with `Retry-After`, or a refused connection; and once
   * after 401, where the credential can be fetched anew.
   *
   * @throws UpstreamStatusError, UpstreamTimeoutError, UpstreamConnectionError, UpstreamResponseError;
   *   the signal's reason when the caller went away.
   */
  request<const Options extends RequestOptions>(
    endpoint: UpstreamPath,
    options: Options,
    call: UpstreamCall,
  ): Promise<Answered<Options>>;
  /** Whether the service answers at all, whatever it says, short of a 5xx. */
  isReachable(signal: AbortSignal): Promise<boolean>;
  /**
   * Whether the service lets the server's own credential GET this endpoint: with a wrong key it does not. A 429 will
   * do, since a busy service is a ready one. Where the server has no credential of its own, as {@link isReachable}.
   */
  isReady(endpoint: UpstreamPath, signal: AbortSignal): Promise<boolean>;
  /** Ends every connection, with the calls on them. */
  close(): Promise<void>;
}

export function createUpstream({
  baseUrl,
  timeoutMs = 30_000,
  maxBytes = 4 * 1024 * 1024,
  concurrency = 50,
  credentials,
  headers: fixedHeaders,
  queryStyle,
  retry,
  rateLimit,
  cacheBytes = 16 * 1024 * 1024,
  reasonOf = commonReason,
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
  const calls = {
    queue: new FairQueue(concurrency),
    // A connection carries one call at a time.
    dispatcher: new Pool(origin, { ...connection, connections: concurrency }),
  };
  /** They do not wait behind calls: a busy service is a ready one. */
  const probes = {
    queue: new FairQueue(1),
    dispatcher: new Client(origin, { ...connection, headersTimeout: timeoutMs }),
  };
  const send = createRetryingSender({ timeoutMs, retry, rateLimit });
  const cache = new AnswerCache(cacheBytes);
  const explain = (body: Buffer): string | undefined => reasonIn(body, reasonOf);

  async function request(
    { queue, dispatcher }: Pick<Outgoing, 'queue' | 'dispatcher'>,
    endpoint: UpstreamPath,
    options: RequestOptions,
    call: UpstreamCall,
  ): Promise<unknown> {
    const { method = 'GET', query, body, headers: own, as = 'json' } = options;
    const { cancellation, caller, timing } = call;
    cancellation.throwIfAborted();
    if (method !== 'GET') call.noteWrite?.(options.idempotencyKey);
    const started = performance.now();
    const accept = as === 'json' ? 'application/json' : '*/*';
    const headers: Record<string, string> = { accept, ...fixedHeaders };
    let content: string | Uint8Array | null = null;
    if (isEncoded(body)) {
      const { bytes, type } = await contentOf(body);
      cancellation.throwIfAborted();
      content = bytes;
      if (type !== null) headers['content-type'] = type;
    } else if (body !== undefined) {
      content = JSON.stringify(body);
      headers['content-type'] = 'application/json';
    }
    if (own) addHeaders(headers, own, credentials?.header);
    if (options.idempotencyKey !== undefined) headers['idempotency-key'] = options.idempotencyKey;
    const outgoing: Outgoing = {
      dispatcher,
      request: {
        method,
        path: prefix + endpoint + searchOf(query, queryStyle),
        headers,
        body: content,
      },
      queue,
      caller: caller.id,
      explained: options.explained,
      reasonIn: explain,
      onHeaders: undefined,
    };
    // Last: what throws before would leave its timer.
    const signal = new CallSignal(cancellation, timeoutMs);
    try {
      const answer = await answered(outgoing, options, { call, signal, started });
      const given = bodyOf(answer, as, method !== 'GET');
      return options.whole
        ? { status: answer.status, headers: headersOf(answer), body: given }
        : given;
    } finally {
      signal.end();
      if (method !== 'GET') cache.forget(caller.id);
      if (timing) timing.upstreamMs += performance.now() - started;
    }
  }

  /** With its credential; from what is kept, where a caller may have it from there. */
  async function answered(
    outgoing: Outgoing,
    options: RequestOptions,
    running: RunningCall,
  ): Promise<RawAnswer> {
    const { call, signal } = running;
    const { headers, path } = outgoing.request;
    const { cacheMs, secret } = options;
    let credential = credentials?.of(call.caller, secret);
    for (let isRenewed = false; ; isRenewed = true) {
      if (credential instanceof Promise) credential = await signal.race(credential);
      if (credentials && credential !== undefined) headers[credentials.header] = credential;
      const isKept = cacheMs !== undefined && secret === undefined && isGet(options);
      const key = isKept ? cacheKey(call.caller.id, path, headers) : '';
      const kept = isKept ? cache.get(key) : undefined;
      if (kept) return kept;
      const { writes } = cache;
      try {
        const answer = await send(outgoing, isRepeatable(options), credential ?? '', running);
        if (isKept) cache.keep(key, answer, cacheMs, writes);
        return answer;
      } catch (error) {
        if (isRenewed || secret || credential === undefined || !isRefusedCredential(error))
          throw error;
        const renewed = credentials?.renewed(call.caller, credential);
        if (renewed === undefined) throw error;
        credential = renewed;
      }
    }
  }

  async function isReachable(signal: AbortSignal): Promise<boolean> {
    try {
      const path = prefix === '' ? '/' : prefix;
      const { statusCode, body } = await probes.dispatcher.request({ method: 'GET', path, signal });
      // A body that does not end would keep the next probe waiting.
      const timer = setTimeout(() => body.destroy(), 1_000).unref();
      void body.dump({ limit: 64 * 1024 }).finally(() => {
        clearTimeout(timer);
      });
      return statusCode < 500;
    } catch {
      return false;
    }
  }

  async function isReady(endpoint: UpstreamPath, signal: AbortSignal): Promise<boolean> {
    try {
      if ((await credentials?.of(serverItself)) === undefined) return await isReachable(signal);
      await request(
        probes,
        endpoint,
        { as: 'bytes' },
        { cancellation: signal, caller: serverItself },
      );
      return true;
    } catch (error) {
      return error instanceof UpstreamStatusError && error.status === 429;
    }
  }

  return {
    // One for every kind of answer: the types say which is which.
    request: ((...given: Parameters<Upstream['request']>) =>
      request(calls, ...given)) as Upstream['request'],
    isReachable,
    isReady,
    close: async () => {
      await Promise.all([calls.dispatcher.destroy(), probes.dispatcher.destroy()]);
    },
  };
}

/** Whether sending it twice does no more than sending it once. */
function isRepeatable({ method = 'GET', idempotencyKey }: RequestOptions): boolean {
  return !['POST', 'PATCH'].includes(method) || idempotencyKey !== undefined;
}

function isGet({ method = 'GET' }: RequestOptions): boolean {
  return method === 'GET';
}

function isRefusedCredential(error: unknown): boolean {
  return error instanceof UpstreamStatusError && error.status === 401;
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
