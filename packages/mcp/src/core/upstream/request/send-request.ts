/** Sends one request to the upstream and buffers its response. */
import type { Dispatcher } from 'undici';
import {
  UpstreamConnectionError,
  UpstreamResponseError,
  UpstreamStatusError,
  UpstreamTimeoutError,
} from '../../result/errors.ts';
import { headerOf, type RawResponse } from '../response/response.ts';
import type { CallSignal } from './call-signal.ts';
import type { FairQueue, QueuedCall } from '../traffic/fair-queue.ts';

export interface OutgoingRequest {
  readonly dispatcher: Dispatcher;
  readonly request: Dispatcher.DispatchOptions;
  readonly queue: FairQueue;
  readonly caller: string;
  /** Error statuses whose reason is read from the body. */
  readonly explained?: readonly number[] | undefined;
  /** Extracts the reason from the body of an error response. */
  readonly reasonIn?: (body: Buffer) => string | undefined;
  /** Called with the headers of each response as soon as they arrive; names and values alternate. */
  readonly onHeaders?: ((headers: readonly Buffer[]) => void) | undefined;
  /** Called for a successful status, before the body arrives. */
  readonly onSuccess?: () => void;
}

/**
 * Queues a request and resolves with the buffered response.
 *
 * Uses undici's dispatcher directly: `undici.request` creates a stream for each response, which costs as much as
 * the rest of this function.
 *
 * @throws UpstreamStatusError, UpstreamTimeoutError, UpstreamConnectionError, UpstreamResponseError; the reason of
 *   `signal` as soon as it aborts, whether the request is queued, connecting or in progress.
 */
export function sendRequest(sent: OutgoingRequest, signal: CallSignal): Promise<RawResponse> {
  return new Promise((resolve, reject) => {
    sent.queue.acquire(sent.caller, new PendingResponse(sent, signal, resolve, reject));
  });
}

/**
 * Limits, in bytes and milliseconds, for draining the body of an error response: a drained connection can be
 * reused.
 */
const restBytes = 64 * 1024;
const restMs = 1_000;

const nothing = Buffer.alloc(0);

class PendingResponse implements Dispatcher.DispatchHandlers, QueuedCall, RawResponse {
  status = 0;
  headers: readonly Buffer[] = [];
  bytes: Buffer = nothing;
  readonly #sent: OutgoingRequest;
  readonly #signal: CallSignal;
  readonly #resolve: (response: RawResponse) => void;
  readonly #reject: (error: unknown) => void;
  readonly #chunks: Buffer[] = [];
  #abort: (() => void) | undefined;
  #isExplained = false;
  #restBytes = restBytes;
  #restTimer: NodeJS.Timeout | undefined;
  #hasPlace = false;

  constructor(
    sent: OutgoingRequest,
    signal: CallSignal,
    resolve: (response: RawResponse) => void,
    reject: (error: unknown) => void,
  ) {
    this.#sent = sent;
    this.#signal = signal;
    this.#resolve = resolve;
    this.#reject = reject;
    signal.onAbort(() => {
      reject(signal.reason);
      this.#abort?.();
    });
  }

  get isAborted(): boolean {
    return this.#signal.aborted;
  }

  begin(): void {
    const { dispatcher, request } = this.#sent;
    this.#hasPlace = true;
    dispatcher.dispatch(request, this);
  }

  onConnect(abort: () => void): void {
    // The request may have been aborted while it was queued.
    if (this.#signal.aborted) abort();
    else this.#abort = abort;
  }

  onHeaders(status: number, headers: Buffer[]): boolean {
    if (status < 200) return true;
    this.status = status;
    this.headers = headers;
    this.#sent.onHeaders?.(headers);
    if (status <= 299) {
      this.#sent.onSuccess?.();
    } else {
      this.#isExplained = this.#sent.explained?.includes(status) ?? false;
      if (!this.#isExplained) this.#refuse();
      this.#restTimer = setTimeout(() => {
        this.#giveUpRest();
      }, restMs).unref();
    }
    return true;
  }

  onData(chunk: Buffer): boolean {
    if (this.#restTimer !== undefined) {
      this.#restBytes -= chunk.length;
      if (this.#restBytes < 0) this.#giveUpRest();
      if (!this.#isExplained) return true;
    }
    this.#chunks.push(chunk);
    return true;
  }

  onComplete(): void {
    this.#end();
    const [first = nothing] = this.#chunks;
    this.bytes = this.#chunks.length > 1 ? Buffer.concat(this.#chunks) : first;
    if (this.status <= 299) this.#resolve(this);
    else if (this.#isExplained) this.#refuse(this.#sent.reasonIn?.(this.bytes));
  }

  onError(error: Error): void {
    this.#end();
    // The status alone makes it an UpstreamStatusError, even if the body with the reason was cut off.
    if (this.status > 299) this.#refuse();
    this.#reject(failureOf(error));
  }

  /** Only the first call has an effect, because a promise settles once. */
  #refuse(reason?: string): void {
    this.#reject(
      new UpstreamStatusError(this.status, headerOf(this.headers, 'retry-after'), reason),
    );
  }

  #giveUpRest(): void {
    this.#refuse();
    this.#abort?.();
  }

  #end(): void {
    clearTimeout(this.#restTimer);
    if (!this.#hasPlace) return;
    this.#hasPlace = false;
    this.#sent.queue.release();
  }
}

const tooLarge = new Set(['UND_ERR_RES_EXCEEDED_MAX_SIZE', 'UND_ERR_HEADERS_OVERFLOW']);

/** Maps an error of undici or Node.js to one of ours. Keeps only its code: the message can contain an address. */
function failureOf(error: Error): unknown {
  const code = 'code' in error ? String(error.code) : '';
  const options = { cause: code };
  if (code === 'UND_ERR_CONNECT_TIMEOUT') return new UpstreamTimeoutError('No connection', options);
  if (tooLarge.has(code)) return new UpstreamResponseError('The answer is too large', options);
  if (code.startsWith('HPE_')) return new UpstreamResponseError('The answer is not HTTP', options);
  // A defect of this server, such as an invalid header value.
  if (code === '' || code === 'UND_ERR_INVALID_ARG') return error;
  return new UpstreamConnectionError('The connection failed', options);
}
