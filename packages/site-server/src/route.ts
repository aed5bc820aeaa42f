/** What a route and the server around it agree on. It loads nothing. */

/**
 * What a route says of itself, in its own file: `export const handle = { … } satisfies RouteHandle`.
 * Whatever it leaves out has the strictest value.
 */
export interface RouteHandle {
  /** Who may ask. Default: `platform`. A layout's counts for nothing, only that of the route asked for. */
  access?: RouteAccess;
  /** Bytes that a request's body may have. Default: {@link defaultBodyLimit}. */
  body?: number;
  /**
   * `public`: the answer is the same for everybody, and its `cache-control` may let caches keep it. Of no effect
   * on an answer for which the guard was asked, as it is for every page.
   */
  cache?: 'public';
}

/**
 * - `platform`: whoever is signed in at the platform. The route's loader and action run the guard
 * - `account`: whoever is signed in to an account of the site's own. The route's loader and action check that
 * - `none`: everybody. The route may show who is signed in, and does nothing that needs it
 * - `machine`: a program elsewhere, such as a payment service that calls a webhook. Only for a resource
 *   route. A request from another site is let through, and nobody is signed in to it: cookies do not reach the
 *   route, and the guard fails as signed out without asking the platform. The route itself must check who calls,
 *   by a signature over the body. It alone sees the caller's `Authorization`
 */
export type RouteAccess = 'platform' | 'account' | 'none' | 'machine';

/** Bytes. Forms are small; a route that takes files says how large they may be. */
export const defaultBodyLimit = 256 * 1024;

/** A route says of itself what cannot be. The message is one sentence that names the route. */
export class RouteHandleError extends Error {
  override name = 'RouteHandleError';
}

/**
 * On a redirect that may lead to another site: the server refuses every other one. A symbol of the process, since
 * a route and the server around it may come from two module graphs.
 */
export const allowedToLeave = Symbol.for('site.redirect-allowed-to-leave');
