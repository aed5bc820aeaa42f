/** One request to the upstream, and its whole answer. */
import type { Dispatcher } from 'undici';
import {
  UpstreamConnectionError,
  UpstreamResponseError,
  UpstreamStatusError,
  UpstreamTimeoutError,
} from '../result/errors.ts';
import type { CallSignal } from './call-signal.ts';
import type { FairQueue, QueuedCall } from './traffic/fair-queue.ts';

/** A request to send, for whom, and the queue in which it waits. */
export interface OutgoingRequest {
  readonly dispatcher: Dispatcher;
  readonly request: Dispatcher.DispatchOptions;
  readonly queue: FairQueue;
  readonly caller: string;
}

/**
 * Sends a request in its turn, and gives the answer's text; undefined for 204 and 205.
 *
 * Spoken to undici's dispatcher, whose `request` makes a stream of each answer: that costs as much as all
 * else here.
 *
 * @throws UpstreamStatusError, UpstreamTimeoutError, UpstreamConnectionError, UpstreamResponseError; the
 *   signal's reason, at once, whether the request still waits, connects or is being answered.
 */
export function sendRequest(
  sent: OutgoingRequest,
  signal: CallSignal,
): Promise<string | undefined> {
  return new Promise((resolve, reject) => {
    sent.queue.acquire(sent.caller, new Answer(sent, signal, resolve, reject));
  });
}

/** How much of a refused answer is read, and how long in milliseconds: what is short leaves the connection usable. */
const restBytes = 64 * 1024;
const restMs = 1_000;

/** Leaves out the byte order mark that some services begin with, which is no JSON. */
const utf8 = new TextDecoder();

class Answer implements Dispatcher.DispatchHandlers, QueuedCall {
  readonly #sent: OutgoingRequest;
  readonly #signal: CallSignal;
  readonly #resolve: (text: string | undefined) => void;
  readonly #reject: (error: unknown) => void;
  readonly #chunks: Buffer[] = [];
  #abort: (() => void) | undefined;
  #status = 0;
  #restBytes = restBytes;
  #restTimer: NodeJS.Timeout | undefined;
  #hasPlace = false;

  constructor(
    sent: OutgoingRequest,
    signal: CallSignal,
    resolve: (text: string | undefined) => void,
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
    // Its turn comes when nobody waits for it any more.
    if (this.#signal.aborted) abort();
    else this.#abort = abort;
  }

  onHeaders(status: number, headers: Buffer[]): boolean {
    if (status < 200) return true;
    this.#status = status;
    if (status > 299) {
      this.#reject(new UpstreamStatusError(status, retryAfterOf(headers)));
      this.#restTimer = setTimeout(() => this.#abort?.(), restMs).unref();
    }
    return true;
  }

  onData(chunk: Buffer): boolean {
    if (this.#restTimer === undefined) {
      this.#chunks.push(chunk);
    } else {
      this.#restBytes -= chunk.length;
      if (this.#restBytes < 0) this.#abort?.();
    }
    return true;
  }

  onComplete(): void {
    this.#end();
    const [first = Buffer.alloc(0)] = this.#chunks;
    const bytes = this.#chunks.length > 1 ? Buffer.concat(this.#chunks) : first;
    const isEmpty = this.#status === 204 || this.#status === 205;
    this.#resolve(isEmpty ? undefined : utf8.decode(bytes));
  }

  onError(error: Error): void {
    this.#end();
    this.#reject(failureOf(error));
  }

  #end(): void {
    clearTimeout(this.#restTimer);
    if (!this.#hasPlace) return;
    this.#hasPlace = false;
    this.#sent.queue.release();
  }
}

/** Names and values take turns. */
function retryAfterOf(headers: readonly Buffer[]): string | undefined {
  const name = headers.findIndex(
    (text, index) => index % 2 === 0 && text.toString('latin1').toLowerCase() === 'retry-after',
  );
  return name === -1 ? undefined : headers[name + 1]?.toString('latin1');
}

const tooLarge = new Set(['UND_ERR_RES_EXCEEDED_MAX_SIZE', 'UND_ERR_HEADERS_OVERFLOW']);

/** Our own error for undici's or Node's. Of theirs only the code is kept: it names nobody. */
function failureOf(error: Error): unknown {
  const code = 'code' in error ? String(error.code) : '';
  const options = { cause: code };
  if (code === 'UND_ERR_CONNECT_TIMEOUT') return new UpstreamTimeoutError('No connection', options);
  if (tooLarge.has(code)) return new UpstreamResponseError('The answer is too large', options);
  if (code.startsWith('HPE_')) return new UpstreamResponseError('The answer is not HTTP', options);
  // A mistake of ours, such as a header that cannot be sent.
  if (code === '' || code === 'UND_ERR_INVALID_ARG') return error;
  return new UpstreamConnectionError('The connection failed', options);
}
