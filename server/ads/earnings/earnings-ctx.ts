import type { SqlCtx } from "../../identity/identity-ctx";
import type { ReservePrices } from "../auction/second-price";

export interface EarningsCtx extends SqlCtx {
  /** The installation's billing currency (ISO 4217). */
  currency: string;
  reserve: ReservePrices;
  /** The publisher's part of a charge, 0 to 1. */
  publisherShare: number;
}
