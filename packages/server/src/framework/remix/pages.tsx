/** What `entry.server.tsx` exports: renders Remix's pages, and logs what loaders and actions throw. */
import { createHash } from 'node:crypto';
import type {
  EntryContext,
  HandleDocumentRequestFunction,
  HandleErrorFunction,
} from '@remix-run/node';
import { isRouteErrorResponse, RemixServer } from '@remix-run/react';
import type { ReactElement } from 'react';
import { log } from '../../log.ts';
import { RequestBodyError } from '../../requests/request-body.ts';
import { renderPage } from '../render-page.ts';
import { SiteOrigin } from './meta.tsx';

export { streamTimeout } from '../render-page.ts';

/**
 * The default export of `entry.server.tsx`.
 *
 * @param wrap wraps a page in providers for the site's components, such as a context with the nonce.
 */
export function createPageRenderer(
  wrap: (page: ReactElement, nonce: string | undefined) => ReactElement,
): HandleDocumentRequestFunction {
  return async ({ url, signal }, status, headers, remixContext, context) => {
    const { nonce, publication } = context;
    const version = publication && status === 200 ? versionOf(remixContext) : null;
    if (version !== null && publication?.isKnown(version))
      return new Response(null, { status: 304 });
    // Remix inlines critical CSS without a nonce, in development only.
    if (remixContext.criticalCss)
      context.styleHash = `sha256-${createHash('sha256').update(remixContext.criticalCss).digest('base64')}`;
    const page = <RemixServer context={remixContext} url={url} {...(nonce && { nonce })} />;
    const origin = new URL(url).origin;
    const document = <SiteOrigin.Provider value={origin}>{wrap(page, nonce)}</SiteOrigin.Provider>;
    const body = await renderPage(document, context, signal);
    headers.set('content-type', 'text/html; charset=utf-8');
    return new Response(body, { status, headers });
  };
}

/**
 * What the page's own loader names as its version, in an `etag` header, with that of the scripts that the page loads. Null if
 * it names none.
 */
function versionOf({ staticHandlerContext, manifest }: EntryContext): string | null {
  const { matches, loaderHeaders } = staticHandlerContext;
  const tag = loaderHeaders[matches.at(-1)?.route.id ?? '']?.get('etag');
  return tag ? `${manifest.version} ${tag}` : null;
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
