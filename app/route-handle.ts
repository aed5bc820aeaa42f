/**
 * What a route says of itself, in its own file: `export const handle = { … } satisfies RouteHandle`.
 * Whatever it leaves out has the strictest value.
 */
export interface RouteHandle {
  /** Bytes that a request's body may have. Default: {@link defaultBodyLimit}. */
  body?: number;
  /**
   * `public`: the answer is the same for everybody, and its `cache-control` may let caches keep it. Not for a page:
   * the root loader puts the visitor into each.
   */
  cache?: 'public';
}

/** Bytes. Forms are small; a route that takes files says how large they may be. */
export const defaultBodyLimit = 256 * 1024;
