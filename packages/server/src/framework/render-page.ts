/** Renders pages to streams, whatever framework's document they are. */
import type { ReactElement } from 'react';
import { renderToPipeableStream } from 'react-dom/server';
import { log } from '../log.ts';
import type { RequestContext } from '../requests/request-context.ts';

/** Milliseconds after which a streaming page is aborted. */
export const streamTimeout = 10_000;

/**
 * Event loop iterations to wait for a page to complete after its shell is ready. With all data available it
 * takes two: the framework passes the data on in two chunks, and React processes each in a separate task. If the page
 * were sent earlier, the chunks would follow the document, with scripts that move them into place.
 */
const turnsToWait = 4;

/**
 * Renders a page's document.
 *
 * @param signal of the request, whose visitor may have disconnected.
 * @returns the body; null when `takePage` has received the complete page.
 */
export function renderPage(
  page: ReactElement,
  { nonce, requestId, takePage, publication }: RequestContext,
  signal: AbortSignal,
): Promise<ReadableStream<Uint8Array> | Buffer<ArrayBuffer> | null> {
  return new Promise((resolve, reject) => {
    let shellReady = false;
    let allReady = false;
    const { pipe, abort } = renderToPipeableStream(page, {
      ...(nonce && { nonce }),
      onAllReady() {
        allReady = true;
        // React flushes at the end of this task.
        if (publication && shellReady) setImmediate(send);
      },
      onShellReady() {
        shellReady = true;
        if (!publication) waitForAll(turnsToWait);
      },
      onShellError(thrown) {
        clearTimeout(timer);
        const error = thrown as Error;
        reject(error);
      },
      onError(error) {
        publication?.withhold();
        // An earlier error rejects the promise, and is logged there.
        if (shellReady && !signal.aborted) log.error({ requestId, err: error }, 'rendering failed');
      },
    });
    // Deferred data is streamed when it arrives.
    const waitForAll = (turns: number) => {
      if (allReady || turns === 0) send();
      else setImmediate(waitForAll, turns - 1);
    };
    const send = () => {
      const output = gather({
        onEnd: () => {
          clearTimeout(timer);
        },
        onCancel: abort,
      });
      pipe(output.sink as unknown as NodeJS.WritableStream);
      const whole = output.whole();
      if (whole) takePage?.(whole);
      resolve(whole && takePage ? null : (whole ?? output.stream()));
    };
    const timer = setTimeout(abort, streamTimeout + 1_000);
  });
}

/**
 * Collects React's output, which comes in chunks of two kilobytes that would each be a separate write.
 * Implements only the methods that React calls, because a `Writable` would cost more than it saves.
 */
function gather({ onEnd, onCancel }: { onEnd: () => void; onCancel: () => void }) {
  let chunks: Uint8Array[] = [];
  let ended = false;
  let failure: { error: unknown } | undefined;
  let controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  const take = () => {
    const bytes = Buffer.concat(chunks);
    chunks = [];
    return bytes;
  };
  const flush = () => {
    if (controller && chunks.length > 0) controller.enqueue(take());
  };
  return {
    sink: {
      // React 19 passes long texts on as they are.
      write: (chunk: Uint8Array | string) =>
        chunks.push(typeof chunk === 'string' ? Buffer.from(chunk) : withoutRest(chunk)) > 0,
      flush,
      end() {
        if (ended) return;
        ended = true;
        flush();
        controller?.close();
        onEnd();
      },
      on: () => undefined,
      destroy(error: unknown) {
        failure = { error };
        controller?.error(error);
        onEnd();
      },
    },
    /** The complete page, if it has already been written to its end. */
    whole: () => (ended ? take() : null),
    /** The page as it is written. */
    stream: () =>
      new ReadableStream<Uint8Array>({
        start(own) {
          controller = own;
          if (failure) own.error(failure.error);
          else flush();
        },
        cancel() {
          // The visitor disconnected.
          ended = true;
          controller = undefined;
          onEnd();
          onCancel();
        },
      }),
  };
}

/** The size of React's chunks, in bytes. */
const chunkSize = 2_048;

/**
 * React 18 writes the whole of a chunk whose rest was too short for the next character, of up to four bytes: what it left
 * empty would be in the page as NUL characters.
 */
function withoutRest(chunk: Uint8Array): Uint8Array {
  let end = chunk.length;
  if (end === chunkSize) while (end > chunkSize - 3 && chunk[end - 1] === 0) end -= 1;
  return end === chunk.length ? chunk : chunk.subarray(0, end);
}
