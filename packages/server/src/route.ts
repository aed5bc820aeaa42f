/** The contract between a route and the server. Imports nothing. */

/**
 * What a route declares about itself: `export const handle = { … } satisfies RouteHandle`. Everything omitted
 * has the strictest value.
 */
export interface RouteHandle {
  /**
   * Who may use the route. Default: `platform`, and `account` in a site without the platform's sign-in. Only the
   * requested route's own value counts, not a layout's.
   */
  access?: RouteAccess;
  /**
   * The role without which a site account is refused: the route's guard asks for it, `requireAccount(args, { role })`, and the proof
   * sends members without it there.
   */
  role?: string;
  /**
   * What a page shows once its visitor is signed out. Default: in its place, a panel that offers
   * sign-in, with this title; and while another person signs in, a placeholder. `page`: the page is
   * useful to everybody, and itself hides what is the visitor's.
   */
  signedOut?: 'page' | { title: string };
  /** Maximum bytes of a request body. Default: {@link defaultBodyLimit}. */
  body?: number;
  /**
   * The response is the same for everybody, and caches may keep it. For `access: 'none'` alone. A `GET` or `HEAD` is then answered
   * without its visitor: loaders see its path and query, and no header, cookie or address; a guard throws. Default: no cache
   * keeps it.
   */
  cache?: RouteCache;
  /** Pages of other sites may show the response, such as a public picture. For resource routes with `access: 'none'` alone. */
  embeddable?: true;
  /**
   * The route shows rows that others publish, such as a gallery. It protects nothing: the query says which rows are public, and
   * the proof compares what is shown with `published` in `e2e/site.ts`. Default: a visitor sees no row of others.
   */
  shows?: 'published';
}

/** Both in whole seconds. */
export interface RouteCache {
  /** For how long a cache may give the response away without asking again. */
  maxAge: number;
  /** For how long after that it may still do so, while it asks. */
  staleWhileRevalidate?: number;
}

/**
 * - `platform`: visitors signed in to the platform. The route's loader and action run the guard
 * - `account`: visitors signed in to a site account. The route's loader and action check that
 * - `both`: visitors signed in to both. The route's loader and action run the platform's guard, then check the site account
 * - `none`: everybody. The route may show who is signed in, and does nothing that needs it
 * - `machine`: another program, such as a payment service that calls a webhook. Resource routes only.
 *   Cross-site requests are let through, but signed out: cookies do not reach the route, and the guard fails
 *   without calling the platform. The route itself must authenticate the caller, by a signature over the
 *   body. Only such a route sees the caller's `Authorization`
 */
export type RouteAccess = 'platform' | 'account' | 'both' | 'none' | 'machine';

/** In bytes. Forms are small; routes that accept files declare their own limit. */
export const defaultBodyLimit = 256 * 1024;

/** A route's handle is invalid. The message is one sentence that names the route. */
export class RouteHandleError extends Error {
  override name = 'RouteHandleError';
}

/**
 * Marks a redirect that may lead to another site; the server rejects all others. A global symbol, because
 * routes and the server may be in separate module graphs.
 */
export const allowedToLeave = Symbol.for('site.redirect-allowed-to-leave');
