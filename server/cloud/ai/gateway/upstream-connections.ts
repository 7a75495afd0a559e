import type { LookupAddress } from "node:dns";
import http, { type IncomingMessage } from "node:http";
import https from "node:https";
import net, { type LookupFunction } from "node:net";
import { type AddressPolicy, GuardedFetchError, isAllowedAddress, refuseUrl } from "../../../engines/address-policy";
import { type Network, publicNetwork } from "../../../engines/guarded-fetch";
import type { Upstream, UpstreamRequest } from "./upstream";
import { UpstreamFailure } from "./upstream-failure";

/** Idle connections per host that are kept for the next requests, and how long. */
const [IDLE_MAX, IDLE_MS] = [256, 30_000];

/**
 * Connections to upstreams, kept open between requests. Those to addresses that tenants chose are made only if every
 * address of the host is allowed at that moment.
 */
export class UpstreamConnections {
  readonly #policy: AddressPolicy;
  readonly #agents: Record<Upstream["owner"], { "http:": http.Agent; "https:": https.Agent }>;

  constructor({ policy, network = publicNetwork }: { policy: AddressPolicy; network?: Pick<Network, "resolve"> }) {
    this.#policy = policy;
    const options = { keepAlive: true, maxFreeSockets: IDLE_MAX, timeout: IDLE_MS };
    const guarded = { ...options, lookup: guardedLookup(network, policy) };
    this.#agents = {
      operator: { "http:": new http.Agent(options), "https:": new https.Agent(options) },
      tenant: { "http:": new http.Agent(guarded), "https:": new https.Agent(guarded) },
    };
  }

  /**
   * POSTs JSON and resolves with the response, whose body is still to be read. Redirects are not followed. Rejects with
   * an UpstreamFailure when there is no response.
   */
  send(
    { baseUrl, owner, post }: Pick<Upstream, "baseUrl" | "owner" | "post">,
    request: UpstreamRequest,
  ): Promise<IncomingMessage> {
    if (post) return post(request);
    const url = new URL(baseUrl + request.path);
    return new Promise((resolve, reject) => {
      let isConnected = false;
      const fail = (cause: unknown) =>
        reject(new UpstreamFailure(reasonOf(cause), { isUnreachable: !isConnected, cause: withoutBytes(cause) }));
      try {
        if (owner === "tenant") refuseUrl(url, this.#policy);
        const isTls = url.protocol === "https:";
        const sent = (isTls ? https : http).request(url, {
          method: "POST",
          agent: this.#agents[owner][isTls ? "https:" : "http:"],
          signal: request.signal,
          headers: headersOf(request),
        });
        sent.setNoDelay(true);
        // The agent's time-out is for idle connections; requests have their own limits.
        sent.setTimeout(0);
        const connected = () => {
          isConnected = true;
        };
        // A connection that is kept from an earlier request is there already.
        sent.once("socket", (socket) =>
          socket.connecting ? socket.once(isTls ? "secureConnect" : "connect", connected) : connected(),
        );
        sent.once("response", resolve).once("error", fail);
        sent.end(request.body);
      } catch (cause) {
        fail(cause);
      }
    });
  }

  /** Closes every connection. */
  close(): void {
    for (const agents of Object.values(this.#agents)) for (const agent of Object.values(agents)) agent.destroy();
  }
}

const headersOf = ({ key, accept, body }: UpstreamRequest): http.OutgoingHttpHeaders => ({
  "content-type": "application/json",
  "content-length": Buffer.byteLength(body),
  accept,
  "accept-encoding": "identity",
  "user-agent": "svc-gateway/1.0",
  ...(key !== undefined && { authorization: `Bearer ${key}` }),
});

/** Fails unless every address is allowed, so that a name cannot lead to an internal address. */
function guardedLookup({ resolve }: Pick<Network, "resolve">, policy: AddressPolicy): LookupFunction {
  return (hostname, options, callback) => {
    resolve(hostname).then(
      (addresses) => {
        const found = addresses.map((address): LookupAddress => ({ address, family: net.isIPv6(address) ? 6 : 4 }));
        const [first] = found;
        if (!first) return callback(new GuardedFetchError("no_address", `${hostname} has no address.`), "");
        if (!addresses.every((address) => isAllowedAddress(address, { hostname, policy }))) {
          const message = `${hostname} does not resolve to public addresses only.`;
          return callback(new GuardedFetchError("address_not_public", message), "");
        }
        if (options.all) return callback(null, found);
        callback(null, first.address, first.family);
      },
      (cause: NodeJS.ErrnoException) => callback(cause, ""),
    );
  };
}

/** Node adds the bytes of a response that is no HTTP to its error, and they would be logged. */
function withoutBytes(cause: unknown): unknown {
  if (cause instanceof Error && "rawPacket" in cause) delete cause.rawPacket;
  return cause;
}

/** Only codes and our own messages: texts of other libraries could quote headers. */
function reasonOf(cause: unknown): string {
  if (cause instanceof GuardedFetchError) return cause.message;
  const { code } = (cause ?? {}) as { code?: unknown };
  return typeof code === "string" ? code : "no connection";
}
