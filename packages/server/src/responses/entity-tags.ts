/** Entity tags (RFC 9110, section 8.8.3), by which a client says what it has. */

/** The tags of `if-match` or `if-none-match`, each as it was sent. A cache may hold several. */
export function tagsIn(list: string): string[] {
  if (list.trim() === '*') return ['*'];
  return [...list.matchAll(/(?<![^\s,])(?:W\/)?"[^"]*"(?![^\s,])/g)].map(([tag]) => tag);
}

/**
 * Whether the client has what a tag names (RFC 9110, section 13.1.2). A proxy that compresses makes a tag weak.
 *
 * @param known the request's `if-none-match`.
 */
export function isKnown(known: string | undefined, tag: string): boolean {
  return tagsIn(known ?? '').some((each) => each === '*' || opaque(each) === opaque(tag));
}

function opaque(tag: string): string {
  return tag.replace(/^W\//, '');
}
