/** The `Link` header (RFC 8288), which some services use for pagination. */

/**
 * Returns the query of the link with the relation `next`; undefined on the last page. Only the query, so that the
 * upstream cannot redirect a request to another address.
 */
export function nextQuery(headers: Headers): URLSearchParams | undefined {
  for (const [, target = '', params = ''] of (headers.get('link') ?? '').matchAll(links)) {
    const [, quoted, plain = ''] = /;\s*rel\s*=\s*(?:"([^"]*)"|([^\s;,"]+))/i.exec(params) ?? [];
    if (!(quoted ?? plain).toLowerCase().split(/\s+/).includes('next')) continue;
    const query = /\?([^#]*)/.exec(target);
    return new URLSearchParams(query?.[1] ?? '');
  }
  return undefined;
}

/** Matches a target in angle brackets, and its parameters up to the comma before the next link. */
const links = /<([^>]*)>((?:[^,"<]|"[^"]*")*)/g;
