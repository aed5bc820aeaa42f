/**
 * The request body as a lazy stream: nothing is read until the route reads, so an upload waits in the kernel
 * while the guard decides. Limited in size, and in how slowly it may arrive.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { bodyTooLarge, type Refusal } from './request-checks.ts';

export interface RequestBody {
  stream: ReadableStream<Uint8Array>;
  /** Stops reading, so that the rest can be discarded. */
  release: () => void;
  /** Set when the stream failed because of the client. Replaces whatever the route responds. */
  readonly refusal: Refusal | null;
}

/** The stream failed because of the client, not the route. */
export class RequestBodyError extends Error {
  override name = 'RequestBodyError';
}

/** Milliseconds that a client may stall in total. */
const patience = 30_000;
/** The limit grows by a millisecond for this many bytes received, so that a large body may take longer. */
const bytesPerMillisecond = 16;

const tooSlow: Refusal = { status: 408, error: 'request_timeout' };

/** @param limit bytes. */
export function createRequestBody(
  request: IncomingMessage,
  response: ServerResponse,
  limit: number,
): RequestBody {
  let requested = false;
  let refusal: Refusal | null = null;
  let size = 0;
  let waited = 0;
  // Ending the iteration must not destroy the connection, which the response still needs.
  const chunks = request.iterator({ destroyOnReturn: false }) as AsyncIterableIterator<Buffer>;

  const release = () => {
    // Not awaited: it settles only after a pending read.
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
        // The client waits for `100 Continue` before sending the body, except in HTTP/1.0 (RFC 9110, section
        // 10.1.1).
        const waits = request.headers.expect !== undefined && request.httpVersion !== '1.0';
        if (!requested && waits) response.writeContinue();
        requested = true;
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
