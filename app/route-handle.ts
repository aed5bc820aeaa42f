/**
 * What a route says of itself, in its own file: `export const handle = { … } satisfies RouteHandle`.
 * Whatever it leaves out has the strictest value.
 */
export interface RouteHandle {
  /** Bytes that a request's body may have. Default: {@link defaultBodyLimit}. */
  body?: number;
  /**
   * `public`: the answer is the same for everybody, and its `cache-control` may let caches keep it. Of no effect
   * on an answer for which the guard was asked, as it is for every page.
   */
  cache?: 'public';
}

/** Bytes. Forms are small; a route that takes files says how large they may be. */
export const defaultBodyLimit = 256 * 1024;
