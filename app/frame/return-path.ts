/** Paths of this site to come back to, safe from addresses that a browser would read as another site's. */

/**
 * The path and query of an address on this site, safe as a return path. A visit to
 * `https://site//evil.test` has a path that a browser would read as another host: its slashes fold.
 */
export function returnPathOf(location: { pathname: string; search: string }): string {
  return location.pathname.replace(/^[/\\]+/, '/') + location.search;
}

/**
 * The return path that a form or a query string names. Anybody can write one: an address of another site, or
 * what is no path, is the fallback.
 *
 * @returns the path as the URL parser reads it, without its fragment.
 */
export function safeReturnPath(given: unknown, fallback = '/'): string {
  if (typeof given !== 'string' || !given.startsWith('/')) return fallback;
  const path = readHere(given);
  // What was read is read again: `/.//evil.test` is of this site, and becomes `//evil.test`.
  return path !== null && readHere(path) === path ? path : fallback;
}

/** Only its host counts, and no browser can be sent there. */
const here = 'https://here.invalid';

function readHere(path: string): string | null {
  if (!URL.canParse(path, here)) return null;
  const { origin, pathname, search } = new URL(path, here);
  return origin === here ? pathname + search : null;
}
