/** What a guard is told of a request. */
interface GuardedContext {
  /** Set where caches may keep the response (`handle.cache`). */
  isPublic?: boolean;
}

/**
 * For guards: asking who the visitor is, where caches give the response to everybody, is a mistake in the route.
 *
 * @throws {Error} where the route declares `handle.cache`.
 */
export function refuseOnPublicRoute({ isPublic }: GuardedContext): void {
  if (!isPublic) return;
  throw new Error(
    'A route with `handle.cache` is the same for everybody: neither its loader nor that of a layout over it may call a guard. Show in the browser what is the visitor’s, or remove `cache` from its handle.',
  );
}
