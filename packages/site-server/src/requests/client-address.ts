/** The client's IP address, behind a known number of proxies. */
import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';

/**
 * Each proxy appends the address that connected to it to `x-forwarded-for`. Only as many of the last entries
 * can be trusted as there are trusted proxies; the client may have forged the rest.
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
  const plain = (address ?? '')
    // Some proxies append the port: `10.0.0.1:4711`, `[2001:db8::1]:4711`.
    .replace(/^([\d.]+|\[[\da-f:.]+\]):\d+$/i, '$1')
    .replace(/^\[(.*)\]$/, '$1')
    // An IPv4 address on a dual-stack socket.
    .replace(/^::ffff:(?=[\d.]+$)/i, '');
  return isIP(plain) === 0 ? undefined : plain;
}
