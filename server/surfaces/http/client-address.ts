import type { IncomingMessage } from "node:http";
import ipaddr from "ipaddr.js";
import { isInNetworks, type Network, parseNetwork } from "../../kernel/networks";

/** Returns the client's address; X-Forwarded-For is used only as far as it was set by trusted proxies. */
export type ClientAddress = (incoming: Pick<IncomingMessage, "socket" | "headers">) => string;

/** `trustedProxies` are addresses or networks in CIDR notation. Throws an error that names an invalid entry. */
export function createClientAddress(trustedProxies: readonly string[]): ClientAddress {
  const networks = trustedProxies.map(networkOf);
  return ({ socket, headers }) => {
    let address = plain(socket.remoteAddress ?? "");
    if (networks.length === 0) return address;
    const hops = String(headers["x-forwarded-for"] ?? "").split(",");
    while (isInNetworks(networks, address) && hops.length > 0) {
      const hop = hops.pop()?.trim() ?? "";
      if (!ipaddr.isValid(hop)) break;
      address = plain(hop);
    }
    return address;
  };
}

/** Whether an address is that of a trusted proxy. Throws an error that names an invalid entry. */
export function trusts(trustedProxies: readonly string[]): (address: string) => boolean {
  const networks = trustedProxies.map(networkOf);
  return (address) => networks.length > 0 && isInNetworks(networks, address);
}

/** `::ffff:10.0.0.1` and `10.0.0.1` are the same client. Addresses of sockets need no parsing. */
function plain(address: string): string {
  if (address.startsWith("::ffff:") && address.includes(".")) return address.slice("::ffff:".length);
  if (!address.includes(":")) return address;
  return ipaddr.isValid(address) ? ipaddr.process(address).toString() : address;
}

function networkOf(text: string): Network {
  const network = parseNetwork(text);
  if (network) return network;
  throw new Error(`TRUSTED_PROXIES: "${text}" is neither an address nor a network such as 10.0.0.0/8.`);
}
