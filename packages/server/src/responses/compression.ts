/** Compression of streams and files, and of complete pages. */
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
 * Compresses the response if the client accepts it. A compressor buffers input until a block is full, so it
 * is flushed once per event loop iteration that wrote something: a page's shell is sent before its deferred
 * data.
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

  // The middleware adds `drain` listeners to its compressor, from which `once` cannot remove them.
  const drained = new EventEmitter();
  response.on('drain', () => drained.emit('drain'));
  const once = response.once.bind(response) as (event: string, listener: () => void) => unknown;
  response.once = ((event: string, listener: () => void) => {
    if (event === 'drain') drained.once(event, listener);
    else once(event, listener);
    return response;
  }) as typeof response.once;
}

/** Bytes below which compression is not worthwhile, as in {@link compress}. */
const threshold = 1024;

/**
 * Compresses a complete page in one call; null if it should be sent uncompressed. A compression stream per
 * page costs several times as much as rendering it. At this size gzip and brotli differ by one percent, and
 * every browser accepts gzip.
 *
 * @param accepted the request's `accept-encoding`.
 */
export function gzipped(page: Buffer, accepted: string | string[] = ''): Buffer | null {
  return page.length >= threshold && acceptsGzip.test(String(accepted)) ? gzipSync(page) : null;
}

/** A weight of 0 means "not acceptable" (RFC 9110, section 12.4.2). */
const acceptsGzip = /\bgzip\b(?!\s*;\s*q=0(\.0*)?\s*(,|$))/i;
