/** The spellings of an IP address, and the network that it stands for. */
import { isIP } from 'node:net';
import { Address4, Address6 } from 'ip-address';

/** The address in its one canonical spelling; undefined for text that is no address. */
export function canonicalAddress(text: string): string | undefined {
  const address = parsed(text);
  return (address instanceof Address6 ? (mapped(address) ?? address) : address)?.correctForm();
}

/**
 * The network whose requests count together: an IPv4 address, however IPv6 writes it, and otherwise the /64 that an
 * IPv6 customer usually has. Null for an address of a private or shared network, which is a proxy's and would count for every visitor.
 */
export function networkOf(address: string): string | null {
  const given = parsed(address);
  if (!given) return null;
  const known = given instanceof Address6 ? (embeddedIn(given) ?? given) : given;
  if (isLocal(known)) {
    // This site's own translator writes each IPv4 client as another of these.
    return inAny(known, [localTranslator]) ? known.correctForm() : null;
  }
  if (known instanceof Address4) return known.correctForm();
  return new Address6(`${known.correctForm()}/64`).startAddress().correctForm();
}

/** Whether an address names nobody on the Internet: a private network's, a carrier's shared one, or none at all. */
function isLocal(address: Address4 | Address6): boolean {
  return (
    address.isPrivate() ||
    address.isLoopback() ||
    address.isLinkLocal() ||
    address.isUnspecified() ||
    address.isCGNAT() ||
    (address instanceof Address4 ? address.isInSubnet(thisNetwork) : address.isInSubnet(siteLocal))
  );
}

const thisNetwork = new Address4('0.0.0.0/8');
const siteLocal = new Address6('fec0::/10');

const localTranslator = new Address6('64:ff9b:1::/48');

/** What translates each IPv4 address to an IPv6 address that ends with it, besides what the library knows. */
const translators = [new Address6('::ffff:0:0:0/96'), new Address6('::/96')];

function parsed(text: string): Address4 | Address6 | null {
  const family = isIP(text);
  if (family === 0) return null;
  return family === 4 ? new Address4(text) : new Address6(text);
}

/** `::ffff:203.0.113.7` and NAT64's `64:ff9b::203.0.113.7` are only other spellings of an IPv4 address. */
function mapped(address: Address6): Address4 | undefined {
  return inAny(address, spellings) ? address.to4() : undefined;
}

const spellings = [new Address6('::ffff:0:0/96'), new Address6('64:ff9b::/96')];

/** The IPv4 client that an IPv6 address stands for. */
function embeddedIn(address: Address6): Address4 | undefined {
  if (address.isLoopback() || address.isUnspecified()) return undefined;
  if (inAny(address, [...spellings, ...translators])) return address.to4();
  let client: Address4 | null = address.embeddedIPv4();
  if (address.is6to4()) client = new Address4(address.inspect6to4().gateway);
  if (address.isTeredo()) client = new Address4(address.inspectTeredo().client4);
  // A private one could be anybody's: the address itself counts.
  return !client || isLocal(client) ? undefined : client;
}

function inAny(address: Address4 | Address6, networks: readonly Address6[]): boolean {
  return address instanceof Address6 && networks.some((network) => address.isInSubnet(network));
}
