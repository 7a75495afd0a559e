import type { AddressPolicy } from "../../../engines/address-policy";
import type { Counters } from "../../../engines/counters/counters";
import type { SqlCtx } from "../../../identity/identity-ctx";

export interface ChatUpstreamCtx extends SqlCtx {
  counters: Counters;
  /** The root of the master keys of secrets. */
  secretsKey: Buffer;
  /** Which URLs webhooks may have. */
  urlPolicy: AddressPolicy;
}
