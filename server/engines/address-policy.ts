import ipaddr from "ipaddr.js";
import { OwnAddresses } from "./own-addresses";

/** The only part of IPv6 that is assigned as global unicast (IANA). */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR("2000::/3");
/** Documentation (RFC 9637). */
const DOCUMENTATION = ipaddr.IPv6.parseCIDR("3fff::/20");

/**
 * Services of the platform under a machine that have an address of the public range: Azure's ("What is IP address
 * 168.63.129.16?"). Those of AWS, Google Cloud, Alibaba and Oracle (169.254.169.254, fd00:ec2::254, fd20:ce::254,
 * 100.100.100.200, 192.0.0.192) are in ranges that are not public.
 */
const PLATFORM_ADDRESSES: ReadonlySet<string> = new Set(["168.63.129.16"]);
const ownAddresses = new OwnAddresses();

/** Which URLs of tenants may be requested, beyond the rule that each address must be public. */
export interface AddressPolicy {
  /** Also http and https URLs on a loopback address: for development. */
  allowsLoopback: boolean;
  /** Hosts of svc itself, `name` or `name:port` in lower case, which are not requested. */
  ownHosts: readonly string[];
}

/** https URLs on public addresses. */
export const PUBLIC_ONLY: AddressPolicy = { allowsLoopback: false, ownHosts: [] };

/** A request that was not sent or got no response in time; the message is a sentence without the URL's path. */
export class GuardedFetchError extends Error {
  constructor(
    readonly reason: "not_https" | "has_credentials" | "own_host" | "no_address" | "address_not_public" | "too_late",
    message: string,
  ) {
    super(message);
    this.name = "GuardedFetchError";
  }
}

/** A host as DNS and certificates name it: without the brackets of IPv6 and a trailing dot. */
export const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[(.*)\]$/, "$1").replace(/\.$/, "");

/** Whether a host is a name or an address of the loopback interface. */
export const isLoopbackHost = (host: string): boolean =>
  host === "localhost" || host.endsWith(".localhost") || isLoopbackAddress(host);

/**
 * Throws GuardedFetchError for a URL that is never requested, as far as that is known without DNS. The URL standard has
 * already normalized decimal, octal and hexadecimal forms of IPv4.
 */
export function refuseUrl(url: URL, policy: AddressPolicy): void {
  const host = hostOf(url);
  const isDevelopment = policy.allowsLoopback && isLoopbackHost(host);
  if (url.protocol !== "https:" && !(isDevelopment && url.protocol === "http:")) {
    const also = policy.allowsLoopback ? ", or with http: on localhost" : "";
    throw new GuardedFetchError("not_https", `The URL on ${url.host} does not begin with https:${also}.`);
  }
  if (url.username !== "" || url.password !== "") {
    throw new GuardedFetchError("has_credentials", "The URL contains a user name or password.");
  }
  if (isOwn(url, policy)) throw new GuardedFetchError("own_host", `${url.host} is svc itself.`);
  if (isDevelopment) return;
  if (isLoopbackHost(host) || (ipaddr.isValid(host) && !isPublicAddress(host))) {
    throw new GuardedFetchError("address_not_public", `${host} is not a public address.`);
  }
}

/** An own host without a port includes all of its ports. */
function isOwn(url: URL, { ownHosts }: AddressPolicy): boolean {
  const host = hostOf(url);
  const port = url.port || (url.protocol === "https:" ? "443" : "80");
  const names = isLoopbackHost(host) ? [host, "localhost"] : [host];
  return names.some((name) => ownHosts.includes(name) || ownHosts.includes(`${name}:${port}`));
}

/** Whether a resolved address of a host may be connected to. */
export const isAllowedAddress = (
  address: string,
  { hostname, policy }: { hostname: string; policy: AddressPolicy },
): boolean =>
  policy.allowsLoopback && isLoopbackHost(hostname) ? isLoopbackAddress(address) : isPublicAddress(address);

/**
 * Whether an address belongs to the public internet: not private, loopback, link-local, shared, mapped, translated or
 * reserved, and neither one of this machine's own nor of a service of the platform under it.
 */
export function isPublicAddress(address: string, own: Pick<OwnAddresses, "has"> = ownAddresses): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.parse(address);
  if (parsed.range() !== "unicast" || PLATFORM_ADDRESSES.has(parsed.toNormalizedString()) || own.has(parsed))
    return false;
  if (!(parsed instanceof ipaddr.IPv6)) return true;
  return parsed.match(GLOBAL_UNICAST) && !parsed.match(DOCUMENTATION);
}

const isLoopbackAddress = (address: string): boolean =>
  ipaddr.isValid(address) && ipaddr.parse(address).range() === "loopback";
