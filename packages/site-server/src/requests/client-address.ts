/** The client's IP address, and the network that it stands for. */
import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import { Address4, Address6 } from 'ip-address';

/**
 * The client's IP address, behind a known number of proxies. Each proxy appends the address that connected to it to
 * `x-forwarded-for`. Only as many of the last entries can be trusted as there are trusted proxies; the client may have
 * forged the rest.
 */
export function clientAddressOf(
  { headers, socket }: Pick<IncomingMessage, 'headers' | 'socket'>,
  trustedProxies = 0,
): string | undefined {
  const forwarded = headers['x-forwarded-for'];
  const entries = (Array.isArray(forwarded) ? forwarded.join(',') : (forwarded ?? ''))
    .split(',')
    .map((entry) => entry.trim());
  const address = trustedProxies === 0 ? socket.remoteAddress : entries.at(-trustedProxies);
  const plain = (address ?? '')
    // Some proxies append the port: `10.0.0.1:4711`, `[2001:db8::1]:4711`.
    .replace(/^([\d.]+|\[[\da-f:.]+\]):\d+$/i, '$1')
    .replace(/^\[(.*)\]$/, '$1');
  return parsed(plain)?.correctForm();
}

/**
 * The network whose requests count together: an IPv4 address, however IPv6 writes it, and otherwise the /64 that an
 * IPv6 customer usually has. Null for a private address, which is a proxy's and would count for every visitor.
 */
export function networkOf(address: string): string | null {
  const known = parsed(address);
  if (!known) return null;
  if (known.isPrivate() || known.isLoopback() || known.isLinkLocal()) {
    // This site's own translator writes each IPv4 client as another of these.
    return inAny(known, [localTranslator]) ? known.correctForm() : null;
  }
  if (known instanceof Address4) return known.correctForm();
  return new Address6(`${known.correctForm()}/64`).startAddress().correctForm();
}

const localTranslator = new Address6('64:ff9b:1::/48');

/** What translates each IPv4 address to an IPv6 address that ends with it, besides what the library knows. */
const translators = [new Address6('::ffff:0:0:0/96'), new Address6('::/96')];

/** The address, as IPv4 if that is what IPv6 only writes differently. */
function parsed(text: string): Address4 | Address6 | null {
  const family = isIP(text);
  if (family === 0) return null;
  if (family === 4) return new Address4(text);
  const address = new Address6(text);
  if (address.isLoopback() || address.isUnspecified()) return address;
  const embedded = address.embeddedIPv4();
  if (embedded) return embedded;
  if (address.is6to4()) return new Address4(address.inspect6to4().gateway);
  if (address.isTeredo()) return new Address4(address.inspectTeredo().client4);
  return inAny(address, translators) ? address.to4() : address;
}

function inAny(address: Address4 | Address6, networks: readonly Address6[]): boolean {
  return address instanceof Address6 && networks.some((network) => address.isInSubnet(network));
}
