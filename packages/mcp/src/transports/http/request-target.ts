/** The target of a request. */
import type { IncomingMessage } from 'node:http';

/** `http://host/path`. Not parsed as a URL, which would accept other ways to write a host, and user information. */
const absoluteForm = /^https?:\/\/([^/?#]*)(.*)$/i;

/** A host, with or without a port. Several `Host` headers arrive joined by commas. */
const authority = /^(?:\[[\da-f:.]+\]|[^\s,/?#@:[\]]+)(?::\d{1,5})?$/i;

/**
 * Returns the path without the query and final slashes. Clients send the absolute form to proxies, but every server must accept it;
 * its host replaces the `Host` header (RFC 9112, section 3.2.2), unless that is invalid or there are several.
 */
export function readPath(request: IncomingMessage): string {
  const { url = '/' } = request;
  const [, host, target = url] = (!url.startsWith('/') && absoluteForm.exec(url)) || [];
  if (host !== undefined) {
    request.url = target;
    // An invalid one stays, and is rejected: a proxy in front of this server may have used it.
    if (authority.test(request.headers.host ?? host)) request.headers.host = host;
  }
  const query = target.indexOf('?');
  return withoutFinalSlashes(query === -1 ? target : target.slice(0, query));
}

/** Not a regular expression such as `/\/+$/`, which takes quadratic time if more follows the slashes. */
function withoutFinalSlashes(path: string): string {
  let end = path.length;
  while (end > 1 && path[end - 1] === '/') end -= 1;
  return path.slice(0, end);
}
