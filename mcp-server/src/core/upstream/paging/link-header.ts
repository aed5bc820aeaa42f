/** The `Link` header (RFC 8288), by which some services tell the next page. */

/**
 * The query of the page that the header calls next; undefined on the last one. Only the query: no request goes to
 * an address of the upstream's choosing.
 */
export function nextQuery(headers: Headers): URLSearchParams | undefined {
  return queryOf(headers.get('link') ?? '', 'next');
}

/** @param relation Such as `next`, `prev`, `last`. */
export function queryOf(header: string, relation: string): URLSearchParams | undefined {
  for (const [, target = '', params = ''] of header.matchAll(links)) {
    const [, quoted, plain = ''] = /;\s*rel\s*=\s*(?:"([^"]*)"|([^\s;,"]+))/i.exec(params) ?? [];
    if (!(quoted ?? plain).toLowerCase().split(/\s+/).includes(relation)) continue;
    const query = /\?([^#]*)/.exec(target);
    return new URLSearchParams(query?.[1] ?? '');
  }
  return undefined;
}

/** A target in angle brackets, and its parameters up to the comma before the next one. */
const links = /<([^>]*)>((?:[^,"<]|"[^"]*")*)/g;
