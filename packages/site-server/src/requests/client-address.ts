/** Which address a request comes from, where proxies stand in front of the server. */
import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';

/**
 * Each proxy adds to `x-forwarded-for` the address that it was asked from. So many of the last entries are true as
 * there are trusted proxies; whatever stands before them, the visitor may have written.
 */
export function clientAddressOf(
  { headers, socket }: Pick<IncomingMessage, 'headers' | 'socket'>,
  trustedProxies = 0,
): string | undefined {
  const forwarded = headers['x-forwarded-for'];
  const said = (Array.isArray(forwarded) ? forwarded.join(',') : (forwarded ?? ''))
    .split(',')
    .map((one) => one.trim());
  const address = trustedProxies === 0 ? socket.remoteAddress : said.at(-trustedProxies);
  // IPv4 on a socket for both.
  const plain = (address ?? '').replace(/^::ffff:(?=[\d.]+$)/i, '');
  return isIP(plain) === 0 ? undefined : plain;
}
