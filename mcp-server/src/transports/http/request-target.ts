/** The target of a request. */
import type { IncomingMessage } from 'node:http';

/** `http://host/path`. Not parsed as a URL, which would accept other ways to write a host, and user information. */
const absoluteForm = /^https?:\/\/([^/?#]*)(.*)$/i;

/**
 * Returns the path without the query. Clients send the absolute form to proxies, but every server must accept it;
 * its host replaces the `Host` header (RFC 9112, section 3.2.2).
 */
export function readPath(request: IncomingMessage): string {
  const { url = '/' } = request;
  const [, host, target = url] = (!url.startsWith('/') && absoluteForm.exec(url)) || [];
  if (host !== undefined) {
    request.headers.host = host;
    request.url = target;
  }
  const query = target.indexOf('?');
  return query === -1 ? target : target.slice(0, query);
}
