import ipaddr from "ipaddr.js";

/** First address and the number of significant bits. */
export type Network = readonly [address: ipaddr.IPv4 | ipaddr.IPv6, bits: number];

/** The prefix of an IPv4 address in IPv6 notation (RFC 4291 section 2.5.5.2, ::ffff:0:0/96). */
const MAPPED_BITS = 96;

/** Parses an address or a network in CIDR notation; undefined for anything else, such as `10/8` or one with a zone. */
export function parseNetwork(text: string): Network | undefined {
  if (text.includes("%")) return undefined;
  if (ipaddr.IPv4.isValidFourPartDecimal(text)) return [ipaddr.parse(text), 32];
  if (ipaddr.IPv6.isValid(text)) return unmapped(ipaddr.IPv6.parse(text), 128);
  if (ipaddr.IPv4.isValidCIDRFourPartDecimal(text)) return ipaddr.parseCIDR(text);
  return ipaddr.IPv6.isValidCIDR(text) ? unmapped(...ipaddr.IPv6.parseCIDR(text)) : undefined;
}

/** Whether the address is in one of the networks; false for an invalid address. */
export function isInNetworks(networks: readonly Network[], address: string): boolean {
  if (networks.length === 0 || !ipaddr.isValid(address)) return false;
  const asked = ipaddr.process(address);
  return networks.some(([network, bits]) => asked.kind() === network.kind() && asked.match(network, bits));
}

/** Whether a whole network is inside one of the networks. */
export const isWithinNetworks = (networks: readonly Network[], [first, bits]: Network): boolean =>
  networks.some(([network, fixed]) => fixed <= bits && first.kind() === network.kind() && first.match(network, fixed));

/** Gives an IPv4 network one form, however it is written. */
const unmapped = (address: ipaddr.IPv6, bits: number): Network =>
  address.isIPv4MappedAddress() && bits >= MAPPED_BITS
    ? [address.toIPv4Address(), bits - MAPPED_BITS]
    : [address, bits];
