import ipaddr from "ipaddr.js";
import { keyedHash } from "../kernel/secrets";

/**
 * The pseudonym of a client's network address. An IPv6 address is cut to its /64, which one household or server owns
 * (RFC 6177); an IPv4-mapped IPv6 address counts as the IPv4 address.
 */
export function addressHash(addressKey: Buffer, address: string): string {
  return keyedHash(addressKey, `address:${clientOf(address)}`);
}

/** The pseudonym of the network of an address: its IPv4 /24 or IPv6 /48, which usually belongs to one organization. */
export function networkHash(addressKey: Buffer, address: string): string {
  const bytes = ipaddr.isValid(address) ? ipaddr.process(address).toByteArray() : undefined;
  const network = bytes?.slice(0, bytes.length === 4 ? 3 : 6).join(".") ?? address;
  return keyedHash(addressKey, `network:${network}`);
}

/** The pseudonym of an email address, for rate-limit buckets that must not contain addresses. */
export const emailHash = (addressKey: Buffer, email: string): string => keyedHash(addressKey, `email:${email}`);

export function isLoopbackAddress(address: string): boolean {
  return ipaddr.isValid(address) && ipaddr.process(address).range() === "loopback";
}

/** What counts as one client: an IPv4 address, or the /64 of an IPv6 address. */
export function clientOf(address: string): string {
  if (!ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  return parsed.kind() === "ipv6" ? parsed.toByteArray().slice(0, 8).join(".") : parsed.toString();
}
