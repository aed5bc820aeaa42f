/** Renders a page to a stream, and logs what loaders and actions throw. */
import { PassThrough, Readable } from 'node:stream';
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
          const body = new PassThrough();
          body.once('close', () => {
            clearTimeout(timer);
          });
          headers.set('content-type', 'text/html; charset=utf-8');
          resolve(new Response(Readable.toWeb(body) as ReadableStream, { status, headers }));
          pipe(body);
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

/** W33: a thrown error is logged here and sanitised by Remix before a browser sees it. */
export const handleError: HandleErrorFunction = (error, { request, context }) => {
  if (request.signal.aborted) return;
  log.error({ requestId: context.requestId, err: error }, 'a route failed');
};
