/** What `entry.server.tsx` exports, whatever the framework: renders pages, and logs what loaders and actions throw. */
import { createHash } from 'node:crypto';
import type { ComponentType, ReactElement } from 'react';
import { log } from '../log.ts';
import { RequestBodyError } from '../requests/request-body.ts';
import type { RequestContext } from '../requests/request-context.ts';
import { SiteOrigin } from './meta.tsx';
import { renderPage } from './render-page.ts';

/** What frameworks give to their document component. */
interface DocumentContext {
  manifest: { version: string };
  staticHandlerContext: {
    matches: { route: { id: string } }[];
    loaderHeaders: Record<string, Headers>;
  };
  /** Its text, or where it is. */
  criticalCss?: string | object | undefined;
}

interface DocumentProps<Context> {
  context: Context;
  url: string;
  nonce?: string;
}

/** Wraps a page in providers for the site's components, such as a context with the nonce. */
export type WrapPage = (page: ReactElement, nonce: string | undefined) => ReactElement;

/** @param Document the framework's component of a whole page on the server. */
export function pageRendererFor<Context extends DocumentContext>(
  Document: ComponentType<DocumentProps<Context>>,
) {
  return (wrap: WrapPage) =>
    async (
      { url, signal }: Request,
      status: number,
      headers: Headers,
      given: Context,
      context: RequestContext,
    ): Promise<Response> => {
      const { nonce, publication } = context;
      const version = publication && status === 200 ? versionOf(given) : null;
      if (version !== null && publication?.isKnown(version))
        return new Response(null, { status: 304 });
      // Frameworks inline critical CSS without a nonce, in development only.
      if (typeof given.criticalCss === 'string' && given.criticalCss !== '')
        context.styleHash = `sha256-${createHash('sha256').update(given.criticalCss).digest('base64')}`;
      const page = <Document context={given} url={url} {...(nonce && { nonce })} />;
      const origin = new URL(url).origin;
      const document = (
        <SiteOrigin.Provider value={origin}>{wrap(page, nonce)}</SiteOrigin.Provider>
      );
      const body = await renderPage(document, context, signal);
      headers.set('content-type', 'text/html; charset=utf-8');
      return new Response(body, { status, headers });
    };
}

/**
 * What the page's own loader names as its version, in an `etag` header, with that of the scripts that the page loads. Null if
 * it names none.
 */
function versionOf({ staticHandlerContext, manifest }: DocumentContext): string | null {
  const { matches, loaderHeaders } = staticHandlerContext;
  const tag = loaderHeaders[matches.at(-1)?.route.id ?? '']?.get('etag');
  return tag ? `${manifest.version} ${tag}` : null;
}

/** W33: thrown errors are logged here, and sanitised by the framework before a browser sees them. */
export function errorLogFor(isRouteErrorResponse: (error: unknown) => error is { status: number }) {
  return (
    error: unknown,
    { request, context }: { request: Request; context: RequestContext },
  ): void => {
    if (request.signal.aborted) return;
    // The body was too large or too slow: the listener responds.
    if (error instanceof RequestBodyError) return;
    // A request that no route accepts is the client's mistake.
    if (isRouteErrorResponse(error) && error.status < 500) return;
    log.error({ requestId: context.requestId, err: error }, 'a route failed');
  };
}
