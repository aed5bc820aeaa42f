/** The headers that one call has of its own. */

/** Who calls, and how a message is framed, is this client's own. */
const ownHeaders = new Set([
  ...['authorization', 'proxy-authorization', 'cookie', 'host', 'connection', 'upgrade'],
  ...['content-length', 'transfer-encoding', 'expect', 'keep-alive', 'idempotency-key'],
]);

/** @throws TypeError for one that is set by the upstream client alone. */
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
