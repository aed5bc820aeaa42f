/** Headers of a single call. */

/** Headers for authentication and message framing, which only the client sets. */
const ownHeaders = new Set([
  ...['authorization', 'proxy-authorization', 'cookie', 'host', 'connection', 'upgrade'],
  ...['content-length', 'transfer-encoding', 'expect', 'keep-alive', 'idempotency-key'],
]);

/** @throws TypeError for a header that only the upstream client may set. */
export function addHeaders(
  headers: Record<string, string>,
  given: Readonly<Record<string, string | undefined>>,
  credentialHeader: string | undefined,
): void {
  for (const [name, value] of Object.entries(given)) {
    const known = name.toLowerCase();
    if (ownHeaders.has(known) || known === credentialHeader?.toLowerCase()) {
      throw new TypeError(`The header ${known} is set by the upstream client alone`);
    }
    if (value !== undefined) headers[known] = value;
  }
}
