/** Renders a page to a stream, and logs what loaders and actions throw. */
import { createHash } from 'node:crypto';
import type { HandleDocumentRequestFunction, HandleErrorFunction } from '@remix-run/node';
import { isRouteErrorResponse, RemixServer } from '@remix-run/react';
import type { ReactElement } from 'react';
import { renderToPipeableStream } from 'react-dom/server';
import { log } from '../log';
import { RequestBodyError } from '../requests/request-body';

/** Milliseconds until a page that is still streaming is cut off. */
export const streamTimeout = 10_000;

/**
 * Turns of the event loop that a page is given to be whole once its shell is. With its data all there
 * it takes two: Remix hands the data over in two pieces, and React looks at each in a turn of its own.
 * Sent before, the pieces would go after the document, with scripts that move them into it.
 */
const turnsToWait = 4;

/**
 * The default export of `entry.server.tsx`.
 * @param wrap puts around a page what the site's components need, such as a context with the nonce.
 */
export function createPageRenderer(
  wrap: (page: ReactElement, nonce: string | undefined) => ReactElement,
): HandleDocumentRequestFunction {
  return (request, status, headers, remixContext, context) => {
    const { nonce, requestId, takePage } = context;
    // Remix puts the first styles into a page without a nonce. Only development has them.
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
            // Before the shell is ready, the error rejects and is logged there.
            if (shellReady && !request.signal.aborted)
              log.error({ requestId, err: error }, 'rendering failed');
          },
        },
      );
      // Data that comes later streams when it comes.
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
 * Takes what React writes: two kilobytes at a time, each of which would be a write of its own on the
 * wire. Only what React calls is there: a `Writable` would cost more than it does.
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
    /** The page, when it has been written to its end already. */
    whole: () => (ended ? take() : null),
    /** The page as it comes. */
    stream: () =>
      new ReadableStream<Uint8Array>({
        start(own) {
          controller = own;
          if (failure) own.error(failure.error);
          else flush();
        },
        cancel() {
          // The visitor went away.
          ended = true;
          controller = undefined;
          onEnd();
          onCancel();
        },
      }),
  };
}

/** W33: a thrown error is logged here and sanitised by Remix before a browser sees it. */
export const handleError: HandleErrorFunction = (error, { request, context }) => {
  if (request.signal.aborted) return;
  // The body was too large or too slow: the listener says so.
  if (error instanceof RequestBodyError) return;
  // A request that no route takes is the sender's mistake.
  if (isRouteErrorResponse(error) && error.status < 500) return;
  log.error({ requestId: context.requestId, err: error }, 'a route failed');
};
