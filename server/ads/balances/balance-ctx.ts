import type { ActorCtx } from "../../identity/identity-ctx";

export interface BalanceCtx extends ActorCtx {
  /** The installation's billing currency (ISO 4217). */
  currency: string;
}
