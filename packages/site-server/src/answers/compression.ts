/** Compression: of what comes in pieces or from a file, and of a page that is whole. */
import { EventEmitter } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import compression from 'compression';

const middleware = compression() as unknown as (
  request: IncomingMessage,
  response: ServerResponse & { flush?: () => void },
  next: () => void,
) => void;

/**
 * Compresses what is written to this response, as the visitor accepts it. A compressor holds its input back until
 * a block is full, so it is flushed once in each turn of the event loop that wrote something: the shell of a
 * page goes out before its late data.
 */
export function compress(
  request: IncomingMessage,
  response: ServerResponse & { flush?: () => void },
): void {
  middleware(request, response, () => undefined);
  const write = response.write.bind(response) as (...chunk: unknown[]) => boolean;
  let due = false;
  response.write = (...chunk: unknown[]) => {
    if (!due) {
      due = true;
      setImmediate(() => {
        due = false;
        response.flush?.();
      });
    }
    return write(...chunk);
  };

  // The middleware gives listeners for `drain` to its compressor, from which `once` cannot take them again.
  const drained = new EventEmitter();
  response.on('drain', () => drained.emit('drain'));
  const once = response.once.bind(response) as (event: string, listener: () => void) => unknown;
  response.once = ((event: string, listener: () => void) => {
    if (event === 'drain') drained.once(event, listener);
    else once(event, listener);
    return response;
  }) as typeof response.once;
}

/** Bytes below which compression is not worth its headers, as for {@link compress}. */
const threshold = 1024;

/**
 * A whole page compressed in one call, or null where it goes out as it is. A compressing stream for
 * each page costs several times what rendering the page does. At this size gzip and brotli differ by
 * a hundredth, and every browser accepts gzip.
 *
 * @param accepted the request's `accept-encoding`.
 */
export function gzipped(page: Buffer, accepted: string | string[] = ''): Buffer | null {
  return page.length >= threshold && acceptsGzip.test(String(accepted)) ? gzipSync(page) : null;
}

/** A weight of nought refuses (RFC 9110, 12.4.2). */
const acceptsGzip = /\bgzip\b(?!\s*;\s*q=0(\.0*)?\s*(,|$))/i;
