/** The spellings of an IP address, and the network that it stands for. */
import { isIP } from 'node:net';
import { Address4, Address6 } from 'ip-address';

/** The address in its one canonical spelling; undefined for text that is no address. */
export function canonicalAddress(text: string): string | undefined {
  return parsed(text)?.correctForm();
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
