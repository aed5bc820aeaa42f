/** The HTTP client of the wrapped service (M05, M06, M18): deadline, limits, retries and credential. */
import { Client, Pool } from 'undici';
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
  type RawResponse,
  type UpstreamResponse,
} from './response/response.ts';
import { addHeaders } from './request/call-headers.ts';
import { contentOf, isEncoded } from './request/request-body.ts';
import { CallSignal } from './request/call-signal.ts';
import { serverItself, type Credentials } from './credentials.ts';
import type { UpstreamPath } from './path.ts';
import { searchOf, type Query, type QueryStyle } from './request/query.ts';
import { commonReason, reasonIn, type ReasonOf } from './response/reason.ts';
import { ResponseCache, cacheKey } from './traffic/response-cache.ts';
import { FairQueue } from './traffic/fair-queue.ts';
import type { RateLimit } from './traffic/pace.ts';
import type { GivenSecret, UpstreamCall } from '../context/tool-context.ts';
import { UpstreamStatusError } from '../result/errors.ts';

export interface UpstreamOptions {
  /** `http:` or `https:`. The paths of endpoints are appended to its path. */
  readonly baseUrl: string;
  /** Deadline of a whole call in milliseconds: queueing, every attempt, headers and body. Default: 30,000. */
  readonly timeoutMs?: number;
  /** Limit for one response body, in bytes. Default: 4 MiB. */
  readonly maxBytes?: number;
  /**
   * Maximum number of concurrent calls. Default: 50. Further calls are queued, and the queue is fair between
   * callers.
   */
  readonly concurrency?: number;
  readonly credentials?: Credentials;
  /** Sent with each call. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly queryStyle?: QueryStyle;
  readonly retry?: RetryOptions;
  /**
   * The service's rate limit for each credential. If set, even to `{}`, a 429 with `Retry-After` pauses all calls
   * with that credential: omit it if the service limits each endpoint separately.
   */
  readonly rateLimit?: RateLimit;
  /** Total size of the response cache (`cacheMs`), in bytes. Default: 16 MiB. */
  readonly cacheBytes?: number;
  /** Extracts the reason from an error response, for `explained`. The default handles the common shapes. */
  readonly reasonOf?: ReasonOf;
}

export interface RequestOptions {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Undefined and null are omitted. Lists and objects are encoded by the client's `queryStyle`. */
  readonly query?: Query;
  /**
   * `FormData` is sent as multipart, `URLSearchParams` as a form, bytes and a `Blob` unchanged, and anything else
   * as JSON.
   */
  readonly body?: unknown;
  /** Headers of this call, such as `accept` or `if-match`. The credential's header is rejected (M31). */
  readonly headers?: Readonly<Record<string, string | undefined>>;
  /** How to read the response body. Default: `json`. */
  readonly as?: BodyKind;
  /** Returns the status and the headers too: `{ status, headers, body }`. */
  readonly whole?: boolean;
  /**
   * Error statuses, such as 422, whose reason is added to the error text. The service's text is bounded and
   * escaped.
   */
  readonly explained?: readonly number[];
  /** For a GET: how long the caller gets the cached response, unless the caller writes in the meantime. */
  readonly cacheMs?: number;
  /**
   * For a POST that changes nothing, such as a search. It is not recorded as a write of the call, so it may precede a
   * question to the user, and it may be retried.
   */
  readonly isRead?: boolean;
  /**
   * Makes a POST or PATCH safe to retry, if the service honours `Idempotency-Key`. Required for a write that
   * precedes a question to the user: pass `context.idempotencyKey`.
   */
  readonly idempotencyKey?: string;
  /** Sent instead of the caller's credential, to try it before it is kept. */
  readonly secret?: GivenSecret;
}

type BodyOf<Options> = Options extends { readonly as: 'text' }
  ? string
  : Options extends { readonly as: 'bytes' }
    ? Uint8Array
    : unknown;

/** The result of a request, by its options. */
export type ResponseOf<Options> = Options extends { readonly whole: true }
  ? UpstreamResponse<BodyOf<Options>>
  : BodyOf<Options>;

export interface Upstream {
  /**
   * Sends a request and returns the parsed JSON of the response. Returns undefined for 204 and 205, and for a write
   * with an empty successful response.
   *
   * Redirects are not followed. A call is retried only if that is safe (GET, PUT, DELETE, an idempotency key or
   * `isRead`), and only after 429 or 503 with `Retry-After`, or a refused connection. It is also retried once after
   * 401 if the credential can be fetched again.
   *
   * @throws UpstreamStatusError, UpstreamTimeoutError, UpstreamConnectionError, UpstreamResponseError; the abort
   *   reason if the caller is gone.
   */
  request<const Options extends RequestOptions>(
    endpoint: UpstreamPath,
    options: Options,
    call: UpstreamCall,
  ): Promise<ResponseOf<Options>>;
  /**
   * Whether a GET of this endpoint with the server's own credential succeeds. A wrong credential makes it false; a
   * 429 counts as ready, because a busy service works. So does a refusal of a server that has no credential of its own.
   */
  isReady(endpoint: UpstreamPath, signal: AbortSignal): Promise<boolean>;
  /** Closes every connection and aborts the calls on them. */
  close(): Promise<void>;
}

/** Creates a client of an API. `api` does it for the one that the service wraps; this is for another, such as its token endpoint. */
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
    // The deadline of the call covers both.
    headersTimeout: 0,
    bodyTimeout: 0,
  };
  const calls = {
    queue: new FairQueue(concurrency),
    // No pipelining: one connection for each concurrent call.
    dispatcher: new Pool(origin, { ...connection, connections: concurrency }),
  };
  /** Health checks have their own connection, so that they do not queue behind calls: a busy service is ready. */
  const probes = {
    queue: new FairQueue(1),
    dispatcher: new Client(origin, { ...connection, headersTimeout: timeoutMs }),
  };
  const send = createRetryingSender({ timeoutMs, retry, rateLimit });
  const cache = new ResponseCache(cacheBytes);
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
    const isWrite = method !== 'GET' && !options.isRead;
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
      onSuccess: () => endWrite?.(true),
    };
    // These two come last: an error thrown after them would leave a write pending, or a timer running.
    const endWrite = isWrite ? call.noteWrite?.(options.idempotencyKey) : undefined;
    const signal = new CallSignal(cancellation, timeoutMs);
    try {
      const response = await responseTo(outgoing, options, { call, signal, started });
      const given = bodyOf(response, as, isWrite, maxBytes);
      return options.whole
        ? { status: response.status, headers: headersOf(response), body: given }
        : given;
    } finally {
      signal.end();
      endWrite?.(false);
      if (isWrite) cache.forget(caller.id);
      if (timing) timing.upstreamMs += performance.now() - started;
    }
  }

  /** Adds the credential, and answers from the cache where possible. */
  async function responseTo(
    outgoing: Outgoing,
    options: RequestOptions,
    running: RunningCall,
  ): Promise<RawResponse> {
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
        const response = await send(outgoing, isRepeatable(options), credential ?? '', running);
        if (isKept) cache.keep(key, response, cacheMs, writes);
        return response;
      } catch (error) {
        if (isRenewed || secret || credential === undefined || !isRefusedCredential(error))
          throw error;
        const renewed = credentials?.renewed(call.caller, credential);
        if (renewed === undefined) throw error;
        credential = renewed;
      }
    }
  }

  async function isReady(endpoint: UpstreamPath, signal: AbortSignal): Promise<boolean> {
    let hasCredential = true;
    try {
      hasCredential = (await credentials?.of(serverItself)) !== undefined;
      await request(
        probes,
        endpoint,
        { as: 'bytes' },
        { cancellation: signal, caller: serverItself },
      );
      return true;
    } catch (error) {
      if (!(error instanceof UpstreamStatusError)) return false;
      return error.status === 429 || (!hasCredential && [401, 403].includes(error.status));
    }
  }

  return {
    // One implementation for all result types, which the overload distinguishes.
    request: ((...given: Parameters<Upstream['request']>) =>
      request(calls, ...given)) as Upstream['request'],
    isReady,
    close: async () => {
      await Promise.all([calls.dispatcher.destroy(), probes.dispatcher.destroy()]);
    },
  };
}

/** Whether repeating the request has no further effect. */
function isRepeatable({ method = 'GET', idempotencyKey, isRead }: RequestOptions): boolean {
  return isRead || idempotencyKey !== undefined || !['POST', 'PATCH'].includes(method);
}

function isGet({ method = 'GET' }: RequestOptions): boolean {
  return method === 'GET';
}

function isRefusedCredential(error: unknown): boolean {
  return error instanceof UpstreamStatusError && error.status === 401;
}
