/** Renders pages to streams, and logs what loaders and actions throw. */
import { createHash } from 'node:crypto';
import type { HandleDocumentRequestFunction, HandleErrorFunction } from '@remix-run/node';
import { isRouteErrorResponse, RemixServer } from '@remix-run/react';
import type { ReactElement } from 'react';
import { renderToPipeableStream } from 'react-dom/server';
import { log } from '../log.ts';
import { RequestBodyError } from '../requests/request-body.ts';

/** Milliseconds after which a streaming page is aborted. */
export const streamTimeout = 10_000;

/**
 * Event loop iterations to wait for a page to complete after its shell is ready. With all data available it
 * takes two: Remix passes the data on in two chunks, and React processes each in a separate task. If the page
 * were sent earlier, the chunks would follow the document, with scripts that move them into place.
 */
const turnsToWait = 4;

/**
 * The default export of `entry.server.tsx`.
 *
 * @param wrap wraps a page in providers for the site's components, such as a context with the nonce.
 */
export function createPageRenderer(
  wrap: (page: ReactElement, nonce: string | undefined) => ReactElement,
): HandleDocumentRequestFunction {
  return (request, status, headers, remixContext, context) => {
    const { nonce, requestId, takePage } = context;
    // Remix inlines critical CSS without a nonce, in development only.
    if (remixContext.criticalCss)
      context.styleHash = `sha256-${createHash('sha256').update(remixContext.criticalCss).digest('base64')}`;
    return new Promise((resolve, reject) => {
      let shellReady = false;
      let allReady = false;
      const { pipe, abort } = renderToPipeableStream(
        wrap(
          <RemixServer context={remixContext} url={request.url} {...(nonce && { nonce })} />,
          nonce,
        ),
        {
          ...(nonce && { nonce }),
          onAllReady() {
            allReady = true;
          },
          onShellReady() {
            shellReady = true;
            headers.set('content-type', 'text/html; charset=utf-8');
            waitForAll(turnsToWait);
          },
          onShellError(thrown) {
            clearTimeout(timer);
            const error = thrown as Error;
            reject(error);
          },
          onError(error) {
            // An earlier error rejects the promise, and is logged there.
            if (shellReady && !request.signal.aborted)
              log.error({ requestId, err: error }, 'rendering failed');
          },
        },
      );
      // Deferred data is streamed when it arrives.
      const waitForAll = (turns: number) => {
        if (allReady || turns === 0) send();
        else setImmediate(waitForAll, turns - 1);
      };
      const send = () => {
        const page = gather({
          onEnd: () => {
            clearTimeout(timer);
          },
          onCancel: abort,
        });
        pipe(page.sink as unknown as NodeJS.WritableStream);
        const whole = page.whole();
        if (whole) takePage?.(whole);
        const body = whole && takePage ? null : (whole ?? page.stream());
        resolve(new Response(body, { status, headers }));
      };
      const timer = setTimeout(abort, streamTimeout + 1_000);
    });
  };
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
      write: (chunk: Uint8Array) => chunks.push(chunk) > 0,
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

/** W33: thrown errors are logged here, and sanitised by Remix before a browser sees them. */
export const handleError: HandleErrorFunction = (error, { request, context }) => {
  if (request.signal.aborted) return;
  // The body was too large or too slow: the listener responds.
  if (error instanceof RequestBodyError) return;
  // A request that no route accepts is the client's mistake.
  if (isRouteErrorResponse(error) && error.status < 500) return;
  log.error({ requestId: context.requestId, err: error }, 'a route failed');
};
