/**
 * The body of a request as a stream that reads nothing until it is asked to, so that a stranger's upload
 * waits in the kernel while the guard decides. It is bounded in size, and in how slowly it may come.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Refusal } from './request-checks.server';

export interface RequestBody {
  stream: ReadableStream<Uint8Array>;
  /** Ends the reading. What has not been read can be discarded then. */
  release: () => void;
  /** Why the stream failed, where the sender is to blame. Stands above whatever the route makes of it. */
  readonly refusal: Refusal | null;
}

/** The stream failed for a reason that the sender is told: no fault of the route's. */
export class RequestBodyError extends Error {
  override name = 'RequestBodyError';
}

/** Milliseconds that a sender may keep the site waiting, all pauses added up… */
const patience = 30_000;
/** …and one more for each of so many bytes: a large body may take its time. */
const bytesPerMillisecond = 16;

export const bodyTooLarge: Refusal = { status: 413, error: 'body_too_large' };
const tooSlow: Refusal = { status: 408, error: 'request_timeout' };

/** @param limit bytes. */
export function createRequestBody(
  request: IncomingMessage,
  response: ServerResponse,
  limit: number,
): RequestBody {
  let asked = false;
  let refusal: Refusal | null = null;
  let size = 0;
  let waited = 0;
  // Ending the loop must not destroy the connection: an answer still has to go out over it.
  const chunks = request.iterator({ destroyOnReturn: false }) as AsyncIterableIterator<Buffer>;

  const release = () => {
    // Not waited for: where a read is under way it comes after that.
    void chunks.return?.();
  };

  const next = async () => {
    const began = performance.now();
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<'late'>((resolve) => {
      timer = setTimeout(resolve, patience + size / bytesPerMillisecond - waited, 'late');
    });
    const chunk = await Promise.race([chunks.next(), late]);
    clearTimeout(timer);
    waited += performance.now() - began;
    return chunk;
  };

  const stream = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        // The sender waits to be told that the body is wanted, but in HTTP/1.0 (RFC 9110, section 10.1.1).
        const waits = request.headers.expect !== undefined && request.httpVersion !== '1.0';
        if (!asked && waits) response.writeContinue();
        asked = true;
        const chunk = await next();
        if (chunk === 'late') refusal = tooSlow;
        else if (chunk.done) controller.close();
        else {
          size += chunk.value.length;
          if (size > limit) refusal = bodyTooLarge;
          else controller.enqueue(chunk.value);
        }
        if (refusal) throw new RequestBodyError(refusal.error);
      },
      cancel: release,
    },
    { highWaterMark: 0 },
  );
  return {
    stream,
    release,
    get refusal() {
      return refusal;
    },
  };
}

/** Whether a body is too large by its own word. A chunked one gives no length. */
export function isTooLarge({ headers }: IncomingMessage, limit: number): boolean {
  return Number(headers['content-length'] ?? 0) > limit;
}
