/**
 * Return paths within this site: of a page, and safe from paths that a browser would resolve to another host.
 */
import { pageOfData } from './data-address.ts';

interface Address {
  pathname: string;
  search: string;
}

/**
 * The path and query of an address on this site, as a return path. The path of
 * `https://site//evil.test` would resolve to another host, so leading slashes are collapsed. An address that is no page,
 * as of an error page, gives `/`.
 */
export function returnPathOf({ pathname, search }: Address): string {
  return pageOf(pathname.replace(/^[/\\]+/, '/'), search) ?? '/';
}

/**
 * The return path of a loader's or action's request: byte for byte the address that the visitor sees. `request.url` has
 * another spelling of it, because the framework removes its own parameters by encoding the query anew.
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
  context: { page?: Address };
}

/** Characters of a path that fits the `Location` header of a response. */
const longest = 2_048;

/**
 * Validates a return path from a form or query string. Anyone can write one: an address on another
 * site, or anything that is no page's path, gives the fallback.
 *
 * @returns the path as the URL parser normalises it, without its fragment.
 */
export function safeReturnPath(given: unknown, fallback = '/'): string {
  if (typeof given !== 'string' || !given.startsWith('/')) return fallback;
  const page = pageHere(given);
  // Parsed twice: `/.//evil.test` is on this site, and normalises to `//evil.test`.
  return page !== null && page.length <= longest && pageHere(page) === page ? page : fallback;
}

/** The base to resolve against. `.invalid` never resolves (RFC 2606). */
const here = 'https://here.invalid';

function pageHere(path: string): string | null {
  if (!URL.canParse(path, here)) return null;
  const { origin, pathname, search } = new URL(path, here);
  return origin === here ? pageOf(pathname, search) : null;
}

/** The server refuses a backslash; `/__auth/` is the platform's, and may sign out. */
const noPage = /^\/(api(\/|$)|__auth(\/|$)|assets\/|(healthz|readyz)$|[\t\r\n]*\\)/i;

/** The page at an address or at that of its data. Null for an address that the server refuses, or of a resource or file. */
function pageOf(pathname: string, search: string): string | null {
  const page = pageOfData(pathname, search);
  try {
    if (noPage.test(decodeURIComponent(page.pathname)) || new URLSearchParams(search).has('_data'))
      return null;
    return page.pathname + page.search;
  } catch {
    return null;
  }
}
