import { createHash, timingSafeEqual } from "node:crypto";
import { isLoopbackAddress } from "../../identity/address-hash";
import type { Peer } from "../../operation/request-meta";

interface OperatorAccess {
  /** Whether PUBLIC_URL is a loopback address. */
  isLoopback: boolean;
  metricsToken: string | undefined;
}

/**
 * Whether a request may see what concerns the operator alone: one with the token of METRICS_TOKEN as its bearer, and on
 * a developer's machine each that comes from it.
 */
export const isOperator = (
  { isLoopback, metricsToken }: OperatorAccess,
  { headers }: Pick<Request, "headers">,
  { address }: Pick<Peer, "address">,
): boolean => {
  if (isLoopback && isLoopbackAddress(address)) return true;
  const token = /^Bearer (\S+)$/i.exec(headers.get("authorization") ?? "")?.[1];
  return metricsToken !== undefined && token !== undefined && timingSafeEqual(hashOf(token), hashOf(metricsToken));
};

/** Of equal length, as the comparison needs. */
const hashOf = (token: string): Buffer => createHash("sha256").update(token).digest();
