/** Values of the store as they are written in a response. */

/** Shorter ones, which have hardly more than the mark, count only where a whole element or value has them. */
const shortestText = 12;

/** A text without a value. A short one is left, except where it is all of an element's text or of a value in quotes. */
export function withoutWhole(value: string, text: string): string {
  const before = value.length < shortestText ? '(?<=[>"])' : '';
  const after = value.length < shortestText ? '(?=[<"\\\\])' : '';
  return spellings(value).reduce((rest, spelling) => {
    const literal = spelling.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
    return rest.replaceAll(new RegExp(`${before}${literal}${after}`, 'g'), '');
  }, text);
}

/** How a text may be written in a response. */
function spellings(text: string): string[] {
  const inHtml = text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
  const inAddress = encodeURIComponent(text);
  return [
    ...new Set([
      ...[text, inHtml, inHtml.replaceAll("'", '&#x27;'), JSON.stringify(text).slice(1, -1)],
      ...[inAddress, inAddress.replaceAll('%20', '+')],
    ]),
  ];
}
