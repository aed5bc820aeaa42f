/** What `entry.server.tsx` exports, with React Router's document. */
import {
  isRouteErrorResponse,
  ServerRouter,
  type HandleDocumentRequestFunction,
  type HandleErrorFunction,
} from 'react-router';
import { errorLogFor, pageRendererFor, type WrapPage } from '../page-renderer.tsx';

export { streamTimeout } from '../render-page.ts';

/** The default export of `entry.server.tsx`. */
export const createPageRenderer: (wrap: WrapPage) => HandleDocumentRequestFunction =
  pageRendererFor(ServerRouter);

export const handleError: HandleErrorFunction = errorLogFor(isRouteErrorResponse);
