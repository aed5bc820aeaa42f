/**
 * A call to the internal address whose bodies are too large to buffer: both are streams with
 * backpressure, and end with the visitor's abort.
 */
import { Readable } from 'node:stream';
import type { Dispatcher } from 'undici';
import { decode, decodersFor } from './content-coding.ts';
import { isClosedConnection, isRelayable, single, upstreamDeadline } from './call.ts';
import { reportUpstreamFailure, UpstreamFailure } from './failures.ts';
import type { UpstreamAddress } from './upstream.ts';

export interface UpstreamStreamCall {
  /** Path below the internal address, starting with a slash. */
  path: string;
  /** Sent with POST. Without a body, the call is a GET. */
  body?: UpstreamRequestBody;
  /** The requested range (RFC 9110, section 14). No other header can be added. */
  headers?: { range?: string; 'if-range'?: string };
  /** Aborts when the visitor disconnects: ends the call and both bodies. */
  signal?: AbortSignal | undefined;
  /** The visitor's request id, for the log. */
  requestId?: string | undefined;
  /** Milliseconds until the response headers, counted from the last byte sent. */
  deadline?: number;
  /**
   * Milliseconds that the platform may stall either body. In the response, all pauses add up, minus
   * one millisecond for every 16 bytes received. A slow visitor does not count.
   */
  idle?: number;
  /** For responses without an end, such as events: `idle` does not apply to them. */
  isEndless?: boolean;
  /** Maximum bytes of the decoded response body. */
  maxBytes: number;
}

export interface UpstreamRequestBody {
  stream: ReadableStream<Uint8Array>;
  contentType: string;
  /** Its length, if known. A body of another length fails. */
  bytes?: number | undefined;
  maxBytes: number;
}

export interface UpstreamStream {
  /** 200–599. */
  status: number;
  contentType: string | undefined;
  /** In bytes, if the platform sends it. */
  contentLength: number | undefined;
  contentRange: string | undefined;
  acceptRanges: string | undefined;
  etag: string | undefined;
  /**
   * Read or cancel it: an unread body is aborted after `idle`. It errors with an {@link
   * UpstreamFailure} if the response is truncated, stalls or exceeds the limit.
   */
  body: ReadableStream<Uint8Array>;
}

/** A response slower than this on average is aborted. */
const bytesPerMillisecond = 16;

/** The request body exceeds its limit. */
export class RequestBodyTooLarge extends Error {
  override name = 'RequestBodyTooLarge';
}

/**
 * Calls the platform as `callUpstream` does: without a token,
 * without following redirects, and retrying a GET once if a kept-alive connection closed before the
 * response headers.
 *
 * @throws {UpstreamFailure} unreachable, too slow, or not a response that can be relayed.
 * @throws {RequestBodyTooLarge}
 * @throws whatever the request's own stream throws.
 */
export function openUpstream(
  addressOf: UpstreamAddress,
  call: UpstreamStreamCall,
): Promise<UpstreamStream> {
  return new Exchange(addressOf, call).open();
}

/** Marks an error of the request's own stream, as opposed to one of the connection. */
class RequestBodyFailure extends Error {}

class Exchange {
  readonly #addressOf: UpstreamAddress;
  readonly #call: UpstreamStreamCall;
  readonly #deadline: number;
  readonly #idle: number;
  readonly #stop = new AbortController();
  #timer: NodeJS.Timeout | undefined;

  constructor(addressOf: UpstreamAddress, call: UpstreamStreamCall) {
    this.#addressOf = addressOf;
    this.#call = call;
    this.#deadline = call.deadline ?? upstreamDeadline;
    this.#idle = call.idle ?? 30_000;
    call.signal?.addEventListener('abort', this.#onAbort);
    if (call.signal?.aborted) this.#onAbort();
  }

  async open(): Promise<UpstreamStream> {
    try {
      this.#stop.signal.throwIfAborted();
      this.#wait(this.#deadline);
      const response = await this.#request().catch((error: unknown) => {
        const repeatable = !this.#call.body && !this.#stop.signal.aborted;
        if (repeatable && isClosedConnection(error)) return this.#request();
        throw error;
      });
      // Errors surface where the body is read. Without a listener, an earlier one would end the
      // process.
      response.body.on('error', () => undefined);
      return this.#read(response);
    } catch (error) {
      throw this.#failed(error);
    }
  }

  #request(): Promise<Dispatcher.ResponseData> {
    const { path, body, headers } = this.#call;
    const { dispatcher, ...address } = this.#addressOf(path);
    return dispatcher.request({
      ...address,
      method: body ? 'POST' : 'GET',
      headers: {
        ...headers,
        ...(body && { 'content-type': body.contentType }),
        ...(body?.bytes !== undefined && { 'content-length': String(body.bytes) }),
      },
      body: body ? this.#sent(body) : null,
      signal: this.#stop.signal,
      // undici's timers cannot tell which side stalls a body; `#timer` does.
      headersTimeout: 0,
      bodyTimeout: 0,
    });
  }

  #read({ statusCode: status, headers, body }: Dispatcher.ResponseData): UpstreamStream {
    const contentType = single(headers['content-type']);
    const decoders = decodersFor(headers['content-encoding']);
    const isPartOfCoded = status === 206 && decoders?.length !== 0;
    if (!decoders || isPartOfCoded || !isRelayable(status, contentType)) {
      throw new UpstreamFailure('unavailable');
    }
    if (this.#call.isEndless) clearTimeout(this.#timer);
    else this.#wait(this.#idle);
    // These headers describe the encoded body, not the decoded one.
    const plain = decoders.length === 0 ? headers : {};
    const length = single(plain['content-length']);
    return {
      status,
      contentType,
      contentLength: length === undefined ? undefined : Number(length),
      contentRange: single(plain['content-range']),
      acceptRanges: single(plain['accept-ranges']),
      etag: single(plain.etag),
      body: this.#received(decode(body, decoders)),
    };
  }

  /** Adapts the request body to undici. */
  #sent({ stream, maxBytes }: UpstreamRequestBody): Readable {
    const reader = stream.getReader();
    let size = 0;
    const sent = new Readable({
      read: () => {
        // The server bounds the wait for the visitor.
        clearTimeout(this.#timer);
        reader.read().then(({ done, value }) => {
          if (sent.destroyed) return;
          this.#wait(done ? this.#deadline : this.#idle);
          size += value?.length ?? 0;
          if (size > maxBytes) fail(new RequestBodyTooLarge());
          else sent.push(done ? null : value);
        }, fail);
      },
      destroy: (error, done) => {
        // Ends a read that is still waiting for the visitor.
        reader.cancel(error).catch(() => undefined);
        done(error);
      },
    });
    const fail = (cause: unknown) => {
      sent.destroy(new RequestBodyFailure('', { cause }));
    };
    return sent;
  }

  /** The response body, read only on demand. */
  #received(body: AsyncIterable<Buffer>): ReadableStream<Uint8Array> {
    const chunks = body[Symbol.asyncIterator]();
    let size = 0;
    let waited = 0;
    return new ReadableStream<Uint8Array>(
      {
        pull: async (controller) => {
          try {
            const began = performance.now();
            if (!this.#call.isEndless) {
              this.#wait(this.#idle + size / bytesPerMillisecond - waited);
            }
            const next = await chunks.next();
            clearTimeout(this.#timer);
            waited += performance.now() - began;
            if (next.done) {
              this.#end();
              controller.close();
              return;
            }
            size += next.value.length;
            if (size > this.#call.maxBytes) throw new RangeError('The body is too large.');
            controller.enqueue(next.value);
          } catch (error) {
            throw this.#failed(error);
          }
        },
        cancel: () => {
          this.#end();
          this.#stop.abort(new UpstreamFailure('aborted'));
        },
      },
      { highWaterMark: 0 },
    );
  }

  /** Aborts after `ms`, unless restarted or cleared first. */
  #wait(ms: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#stop.abort(new UpstreamFailure('timeout'));
    }, ms);
  }

  readonly #onAbort = () => {
    this.#stop.abort(new UpstreamFailure('aborted'));
  };

  #end(): void {
    clearTimeout(this.#timer);
    this.#call.signal?.removeEventListener('abort', this.#onAbort);
  }

  /**
   * Ends the call and returns the error to throw. Errors of the request's own stream are returned
   * unchanged.
   */
  #failed(error: unknown): unknown {
    this.#end();
    if (error instanceof RequestBodyFailure) return error.cause;
    const failure =
      error instanceof UpstreamFailure
        ? error
        : new UpstreamFailure('unavailable', { cause: error });
    this.#stop.abort(failure);
    const { path, requestId } = this.#call;
    const { reason, cause } = failure;
    if (reason !== 'aborted') reportUpstreamFailure({ path, reason, cause, requestId });
    return failure;
  }
}
