/** Renders a page to a stream, and logs what loaders and actions throw. */
import { Writable } from 'node:stream';
import type { AppLoadContext, EntryContext, HandleErrorFunction } from '@remix-run/node';
import { RemixServer } from '@remix-run/react';
import { renderToPipeableStream } from 'react-dom/server';
import { NonceContext } from './components/nonce';
import { log } from './server/log.server';

/** Milliseconds until a page that is still streaming is cut off. */
export const streamTimeout = 10_000;

export default function handleRequest(
  request: Request,
  status: number,
  headers: Headers,
  remixContext: EntryContext,
  { nonce, requestId }: AppLoadContext,
): Promise<Response> {
  return new Promise((resolve, reject) => {
    let shellReady = false;
    const { pipe, abort } = renderToPipeableStream(
      <NonceContext.Provider value={nonce}>
        <RemixServer context={remixContext} url={request.url} {...(nonce && { nonce })} />
      </NonceContext.Provider>,
      {
        ...(nonce && { nonce }),
        onShellReady() {
          shellReady = true;
          headers.set('content-type', 'text/html; charset=utf-8');
          const { sink, body } = gatherWrites({
            onFinish: () => {
              clearTimeout(timer);
            },
            onCancel: abort,
          });
          resolve(new Response(body, { status, headers }));
          // A page whose data is all there is complete by then, and goes out in one piece.
          setImmediate(() => pipe(sink));
        },
        onShellError: reject,
        onError(error) {
          // Before the shell is ready, the error rejects and is logged there.
          if (shellReady) log.error({ requestId, err: error }, 'rendering failed');
        },
      },
    );
    const timer = setTimeout(abort, streamTimeout + 1_000);
  });
}

/**
 * What React writes between two flushes, as one chunk. React writes two kilobytes at a time, and each
 * would be a write of its own on the wire. Data that comes later still streams when it comes.
 */
function gatherWrites(end: { onFinish: () => void; onCancel: () => void }) {
  const chunks: Uint8Array[] = [];
  let open = true;
  let controller!: ReadableStreamDefaultController<Uint8Array>;
  const body = new ReadableStream<Uint8Array>({
    start(own) {
      controller = own;
    },
    cancel() {
      // The visitor went away.
      open = false;
      end.onFinish();
      end.onCancel();
    },
  });
  const flush = () => {
    if (open && chunks.length > 0) controller.enqueue(Buffer.concat(chunks));
    chunks.length = 0;
  };
  const sink = new Writable({
    // React ends its sink a second time when it closes, which costs an error each page.
    emitClose: false,
    write(chunk: Uint8Array, _encoding, done) {
      chunks.push(chunk);
      done();
    },
    final(done) {
      flush();
      if (open) controller.close();
      end.onFinish();
      done();
    },
  });
  return { sink: Object.assign(sink, { flush }), body };
}

/** W33: a thrown error is logged here and sanitised by Remix before a browser sees it. */
export const handleError: HandleErrorFunction = (error, { request, context }) => {
  if (request.signal.aborted) return;
  log.error({ requestId: context.requestId, err: error }, 'a route failed');
};
