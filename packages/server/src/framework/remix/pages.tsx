/** What `entry.server.tsx` exports, with Remix's document. */
import type { HandleDocumentRequestFunction, HandleErrorFunction } from '@remix-run/node';
import { isRouteErrorResponse, RemixServer } from '@remix-run/react';
import { errorLogFor, pageRendererFor, type WrapPage } from '../page-renderer.tsx';

export { streamTimeout } from '../render-page.ts';

/** The default export of `entry.server.tsx`. */
export const createPageRenderer: (wrap: WrapPage) => HandleDocumentRequestFunction =
  pageRendererFor(RemixServer);

export const handleError: HandleErrorFunction = errorLogFor(isRouteErrorResponse);
