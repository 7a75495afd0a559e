import { z } from "zod";
import { type AddressPolicy, GuardedFetchError, hostOf, refuseUrl } from "../../../engines/address-policy";
import { ServiceError } from "../../../kernel/errors";

const URL_LENGTH_MAX = 2000;
const NUL_OR_SURROGATE = /[\0\p{Surrogate}]/u;

export const WebhookUrl = z
  .string()
  .trim()
  .max(URL_LENGTH_MAX, `expected at most ${URL_LENGTH_MAX} characters`)
  .refine(
    (url) => !NUL_OR_SURROGATE.test(url) && !/\s/.test(url) && URL.canParse(url),
    "expected an absolute https URL",
  )
  .meta({ format: "uri" });

/**
 * Throws `invalid_request` for a URL that cannot be requested, as far as that is known without DNS: its scheme, its
 * credentials, a literal address that is not public, and svc's own hosts.
 */
export function assertUrl(url: string, policy: AddressPolicy): void {
  try {
    refuseUrl(new URL(url), policy);
  } catch (cause) {
    if (!(cause instanceof GuardedFetchError)) throw cause;
    throw new ServiceError("invalid_request", cause.message, { param: "url", details: { reason: cause.reason } });
  }
}

/**
 * Webhooks may point at any public host but svc's own; in development also at loopback addresses, except svc's own port.
 */
export function webhookUrlPolicy(config: {
  publicUrl: string;
  allowedHosts: readonly string[];
  port: number;
  isLoopback: boolean;
}): AddressPolicy {
  const { publicUrl, allowedHosts, port, isLoopback } = config;
  const own = new URL(publicUrl);
  const names = allowedHosts.map((host) => host.replace(/:\d+$/, ""));
  const ownPorts = [own.port || (own.protocol === "https:" ? "443" : "80"), String(port)];
  return {
    allowsLoopback: isLoopback,
    ownHosts: [...names, ...(isLoopback ? ownPorts.map((each) => `localhost:${each}`) : [hostOf(own)])],
  };
}
