/**
 * The body of a request as a stream that reads nothing until the route does, so that a stranger's upload waits in
 * the kernel while the guard decides. It is bounded in size and in how slowly it may come.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Refusal } from './request-checks';

export interface RequestBody {
  stream: ReadableStream<Uint8Array>;
  /** Ends the reading. What has not been read can be discarded then. */
  release: () => void;
  /** Why the stream failed, where that is the sender's fault. Overrides whatever the route answers. */
  readonly refusal: Refusal | null;
}

/** The stream failed through the sender's fault, not the route's. */
export class RequestBodyError extends Error {
  override name = 'RequestBodyError';
}

/** Milliseconds that a sender may keep the site waiting, all pauses together… */
const patience = 30_000;
/** …plus one for every so many bytes that came: a large body may take longer. */
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
  // Ending the iteration must not destroy the connection: the answer still goes out over it.
  const chunks = request.iterator({ destroyOnReturn: false }) as AsyncIterableIterator<Buffer>;

  const release = () => {
    // Not awaited: it settles only after a read that is under way.
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

/** Whether a body declares that it is too large. A chunked one declares nothing. */
export function isTooLarge({ headers }: IncomingMessage, limit: number): boolean {
  return Number(headers['content-length'] ?? 0) > limit;
}
