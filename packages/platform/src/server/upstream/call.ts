/**
 * A call to the platform's internal address, with a deadline, a limit on the response, and no
 * token.
 */
import { util } from 'undici';
import { decode, decodersFor } from './content-coding.ts';
import { reportUpstreamFailure, UpstreamFailure } from './failures.ts';
import type { UpstreamAddress } from './upstream.ts';

/**
 * The part of `AbortSignal` that is used. The relay's signal is a cheaper object: an `AbortController` per request would cost it
 * a third of its rate.
 */
export interface StopSignal {
  readonly aborted: boolean;
  addEventListener(type: 'abort', listener: () => void): void;
  removeEventListener(type: 'abort', listener: () => void): void;
}

export interface UpstreamCall {
  method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Path below the internal address, starting with a slash. */
  path: string;
  /** Sent as `application/json`. */
  json?: unknown;
  /** No other header can be added. */
  headers?: { 'idempotency-key'?: string };
  /** Aborts when the visitor disconnects: ends the upstream call. */
  signal?: StopSignal | undefined;
  /** The visitor's request id, for the log. */
  requestId?: string | undefined;
  /** Milliseconds for headers and body together. */
  deadline?: number;
  /** Maximum bytes of the response body. */
  maxBytes?: number;
}

export interface UpstreamResponse {
  /** 200–599. */
  status: number;
  contentType: string | undefined;
  body: Buffer<ArrayBuffer>;
}

export const upstreamDeadline = 5_000;
const defaultMaxBytes = 1024 * 1024;

/**
 * Calls the platform through undici.
 * Redirects are not followed: their status is returned (W32). A GET on a kept-alive connection that
 * closes is retried once within the same deadline (RFC 9112, section 9.3.1).
 *
 * Uses `dispatch` rather than `fetch`: every page and every relayed profile makes this call, and a
 * body of at most `maxBytes` needs no stream. `openUpstream` is for those that do.
 *
 * @throws {UpstreamFailure} unreachable, too slow, too large, truncated, or not a response that can
 *   be relayed.
 */
export async function callUpstream(
  addressOf: UpstreamAddress,
  call: UpstreamCall,
): Promise<UpstreamResponse> {
  const { method = 'GET', deadline = upstreamDeadline } = call;
  const started = performance.now();
  try {
    return await attempt(addressOf, call, deadline, method === 'GET');
  } catch (error) {
    // Retried here, not in the callback: undici reports a closed connection in the async context of
    // the request that opened it, and a retry from there would carry that visitor's identity.
    if (!(error instanceof ClosedConnection)) throw error;
    return attempt(addressOf, call, deadline - (performance.now() - started), false);
  }
}

/** A kept-alive connection closed before the first byte of the response. */
class ClosedConnection extends Error {}

/** Whether an error means that the platform closed a kept-alive connection. */
export function isClosedConnection(error: unknown): boolean {
  return error instanceof Error && 'code' in error && closings.has(error.code);
}

const closings = new Set<unknown>(['UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE']);

/**
 * @param repeatable whether to reject with {@link ClosedConnection}, so that the call is retried.
 */
function attempt(
  addressOf: UpstreamAddress,
  call: UpstreamCall,
  deadline: number,
  repeatable: boolean,
): Promise<UpstreamResponse> {
  return new Promise((resolve, reject) => {
    const { signal, maxBytes = defaultMaxBytes } = call;
    const chunks: Buffer[] = [];
    let size = 0;
    let status = 0;
    let contentType: string | undefined;
    let decoders: ReturnType<typeof decodersFor> = null;
    let untouched = true;
    let ended = false;
    let hangUp: () => void = () => undefined;

    const end = () => {
      ended = true;
      clearTimeout(timer);
      signal?.removeEventListener('abort', onAbort);
    };
    const fail = (reason: UpstreamFailure['reason'], cause?: unknown) => {
      if (ended) return;
      end();
      if (reason !== 'aborted')
        reportUpstreamFailure({ path: call.path, reason, cause, requestId: call.requestId });
      reject(new UpstreamFailure(reason, { cause }));
      hangUp();
    };
    const succeed = (body: Buffer<ArrayBuffer>) => {
      if (ended) return;
      end();
      resolve({ status, contentType, body });
    };
    const timer = setTimeout(fail, deadline, 'timeout');
    const onAbort = () => {
      fail('aborted');
    };
    signal?.addEventListener('abort', onAbort);
    if (signal?.aborted) {
      fail('aborted');
      return;
    }

    const { dispatcher, origin, path } = addressOf(call.path);
    const json = call.json === undefined ? null : JSON.stringify(call.json);
    dispatcher.dispatch(
      {
        origin,
        path,
        method: call.method ?? 'GET',
        headers: { ...call.headers, ...(json !== null && { 'content-type': 'application/json' }) },
        ...(json !== null && { body: json }),
      },
      {
        onConnect(abort) {
          hangUp = abort;
          if (ended) abort();
        },
        onResponseStarted() {
          untouched = false;
        },
        onHeaders(statusCode, rawHeaders) {
          if (statusCode < 200) return true;
          const headers = util.parseHeaders(rawHeaders);
          status = statusCode;
          contentType = single(headers['content-type']);
          decoders = decodersFor(headers['content-encoding']);
          if (!decoders || !isRelayable(status, contentType)) fail('unavailable');
          return true;
        },
        onData(chunk) {
          size += chunk.length;
          if (size > maxBytes) fail('unavailable');
          else chunks.push(chunk);
          return true;
        },
        onComplete() {
          if (!decoders?.length || size === 0) {
            succeed(Buffer.concat(chunks, size));
            return;
          }
          wholeOf(decode(chunks, decoders), maxBytes).then(succeed, (error: unknown) => {
            fail('unavailable', error);
          });
        },
        onError(error) {
          if (repeatable && untouched && !ended && isClosedConnection(error)) {
            end();
            reject(new ClosedConnection());
          } else fail('unavailable', error);
        },
      },
    );
  });
}

/**
 * @throws {RangeError} at the first chunk beyond the limit: a decompression bomb is decoded no
 *   further.
 */
async function wholeOf(
  body: Iterable<Buffer> | AsyncIterable<Buffer>,
  maxBytes: number,
): Promise<Buffer<ArrayBuffer>> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.length;
    if (size > maxBytes) throw new RangeError('The decoded body is too large.');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, size);
}

/** Whether a status and content type can be sent to a visitor. */
export function isRelayable(status: number, contentType = ''): boolean {
  // `setHeader` throws for any other character.
  return status <= 599 && /^[\t\x20-\x7e]*$/.test(contentType);
}

/** The first line of a repeated header. */
export function single(header: string | string[] | undefined): string | undefined {
  return Array.isArray(header) ? header[0] : header;
}
