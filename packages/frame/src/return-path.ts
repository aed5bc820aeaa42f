/** Return paths within this site, safe from paths that a browser would resolve to another host. */

/**
 * The path and query of an address on this site, as a return path. The path of
 * `https://site//evil.test` would resolve to another host, so leading slashes are collapsed.
 */
export function returnPathOf(location: { pathname: string; search: string }): string {
  return location.pathname.replace(/^[/\\]+/, '/') + location.search;
}

/**
 * The return path of a loader's or action's request: byte for byte the address that the visitor sees. `request.url` has
 * another spelling of it, because Remix removes its own parameters by encoding the query anew.
 */
export function requestedPath({ request, context: { page } }: RequestedPage): string {
  if (page) return returnPathOf(page);
  const url = new URL(request.url);
  // Of a form's action on an index route.
  if (url.searchParams.get('index') === '') url.searchParams.delete('index');
  return returnPathOf(url);
}

interface RequestedPage {
  request: Request;
  /** Without `page` on a server other than this site's. */
  context: { page?: { pathname: string; search: string } };
}

/**
 * Validates a return path from a form or query string. Anyone can write one: an address on another
 * site, or anything that is not a path, gives the fallback.
 *
 * @returns the path as the URL parser normalises it, without its fragment.
 */
export function safeReturnPath(given: unknown, fallback = '/'): string {
  if (typeof given !== 'string' || !given.startsWith('/')) return fallback;
  const path = readHere(given);
  // Parsed twice: `/.//evil.test` is on this site, and normalises to `//evil.test`.
  return path !== null && readHere(path) === path ? path : fallback;
}

/** The base to resolve against. `.invalid` never resolves (RFC 2606). */
const here = 'https://here.invalid';

function readHere(path: string): string | null {
  if (!URL.canParse(path, here)) return null;
  const { origin, pathname, search } = new URL(path, here);
  return origin === here ? pathname + search : null;
}
