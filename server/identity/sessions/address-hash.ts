import ipaddr from "ipaddr.js";
import { keyedHash } from "../../kernel/secrets";

/**
 * The pseudonym of a client's network address. One household or server owns a whole IPv6 /64 (RFC 6177), so that much
 * of it counts; an IPv4 address in IPv6 notation is the IPv4 address.
 */
export function addressHash(addressKey: Buffer, address: string): string {
  return keyedHash(addressKey, `address:${networkOf(address)}`);
}

/** The pseudonym of a mail address, for buckets that must not hold addresses. */
export const emailHash = (addressKey: Buffer, email: string): string => keyedHash(addressKey, `email:${email}`);

export function isLoopbackAddress(address: string): boolean {
  return ipaddr.isValid(address) && ipaddr.process(address).range() === "loopback";
}

function networkOf(address: string): string {
  if (!ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  return parsed.kind() === "ipv6" ? parsed.toByteArray().slice(0, 8).join(".") : parsed.toString();
}
