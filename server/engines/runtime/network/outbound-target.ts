import { GuardedFetchError, hostOf, PUBLIC_ONLY } from "../../address-policy";
import { checkedAddressOf, type Network } from "../../guarded-fetch";

/** HTTP and HTTPS, and the ports that servers without privileges use for them. */
export const OUTBOUND_PORTS: readonly number[] = [80, 443, 8080, 8443];

/** Why a request of a workload is not passed on. */
export class OutboundRefusal extends Error {
  constructor(
    readonly status: 400 | 403 | 429 | 502 | 504,
    message: string,
    options?: { cause?: unknown },
  ) {
    super(message, options);
    this.name = "OutboundRefusal";
  }
}

export interface OutboundTarget {
  hostname: string;
  port: number;
}

/** The target of `CONNECT host:port`. Throws OutboundRefusal. */
export function tunnelTarget(authority: string): OutboundTarget {
  // A URL has the one normal form of an address.
  const url = parsed(`http://${authority}`);
  if (!url || !/:\d+$/.test(authority) || url.host === "" || url.pathname !== "/" || url.username !== "")
    throw new OutboundRefusal(400, "CONNECT needs a host and a port, such as pypi.org:443.");
  return targetOf(url);
}

/** The URL of a request in absolute form. Throws OutboundRefusal. */
export function absoluteUrl(text: string): URL {
  const url = parsed(text);
  if (url?.protocol === "http:" && url.username === "") return url;
  throw new OutboundRefusal(400, "This is an HTTP proxy: send an absolute http: URL, or CONNECT for https.");
}

export const targetOf = (url: URL): OutboundTarget => ({
  hostname: hostOf(url),
  port: url.port === "" ? 80 : Number(url.port),
});

/**
 * An address of the target that may be connected to: every address of its name is public. Throws OutboundRefusal, 403 for
 * a port or an address that is not allowed and 502 for a name without one.
 */
export async function outboundAddress({ hostname, port }: OutboundTarget, network: Network): Promise<string> {
  if (!OUTBOUND_PORTS.includes(port))
    throw new OutboundRefusal(403, `Port ${port} is not allowed, only ${OUTBOUND_PORTS.join(", ")}.`);
  try {
    return await checkedAddressOf(network, { hostname, policy: PUBLIC_ONLY });
  } catch (cause) {
    if (cause instanceof GuardedFetchError && cause.reason === "address_not_public")
      throw new OutboundRefusal(403, `${cause.message} Only public addresses can be reached.`, { cause });
    throw new OutboundRefusal(502, `${hostname} has no address.`, { cause });
  }
}

function parsed(text: string): URL | undefined {
  try {
    return new URL(text);
  } catch {
    return undefined;
  }
}
