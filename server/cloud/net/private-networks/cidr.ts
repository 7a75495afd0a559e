import ipaddr from "ipaddr.js";

/** A range of IPv4 addresses. */
export interface Cidr {
  /** Its first address, as a number of 32 bits. */
  first: number;
  prefixLength: number;
}

const BITS = 32;
const OCTET = 256;
/** As in a VPC of AWS: the network, router, DNS and future use; and the last one, which is for broadcasts. */
const RESERVED_FIRST = 4;
const RESERVED_LAST = 1;

/** undefined unless it is like 10.0.0.0/24, with the first address of the range. */
export function parseCidr(text: string): Cidr | undefined {
  if (!/^\d{1,3}(\.\d{1,3}){3}\/\d{1,2}$/.test(text) || !ipaddr.IPv4.isValidCIDR(text)) return undefined;
  const [address, prefixLength] = ipaddr.IPv4.parseCIDR(text);
  const cidr = { first: numberOf(address.octets), prefixLength };
  return cidr.first % sizeOf(cidr) === 0 ? cidr : undefined;
}

export const sizeOf = ({ prefixLength }: Cidr): number => 2 ** (BITS - prefixLength);

export const contains = (outer: Cidr, inner: Cidr): boolean =>
  inner.first >= outer.first && inner.first + sizeOf(inner) <= outer.first + sizeOf(outer);

export const overlap = (a: Cidr, b: Cidr): boolean => a.first < b.first + sizeOf(b) && b.first < a.first + sizeOf(a);

const PRIVATE = ["10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16"];

/** Of RFC 1918. */
export const isPrivate = (cidr: Cidr): boolean => PRIVATE.some((text) => isWithin(cidr, text));

/** How many pods can have an address of it. */
export const hostsOf = (cidr: Cidr): number => Math.max(0, sizeOf(cidr) - RESERVED_FIRST - RESERVED_LAST);

/** Whether a pod can have the address. */
export function isHost(cidr: Cidr, address: string): boolean {
  const at = numberOf(ipaddr.IPv4.parse(address).octets) - cidr.first;
  return at >= RESERVED_FIRST && at < RESERVED_FIRST + hostsOf(cidr);
}

/** The lowest address for a pod that is not taken; undefined: there is none. */
export function freeAddress(cidr: Cidr, taken: ReadonlySet<string>): string | undefined {
  for (let at = 0; at < hostsOf(cidr); at++) {
    const address = addressOf(cidr.first + RESERVED_FIRST + at);
    if (!taken.has(address)) return address;
  }
  return undefined;
}

function isWithin(cidr: Cidr, text: string): boolean {
  const range = parseCidr(text);
  return range !== undefined && contains(range, cidr);
}

const numberOf = (octets: readonly number[]): number => octets.reduce((sum, octet) => sum * OCTET + octet, 0);

function addressOf(number: number): string {
  const octets = [3, 2, 1, 0].map((at) => Math.floor(number / OCTET ** at) % OCTET);
  return octets.join(".");
}
