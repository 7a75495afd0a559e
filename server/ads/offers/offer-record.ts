import type { CapWindow } from "../../engines/counters/counters";
import type { PriceModel } from "../../kernel/money";

/** The places an offer holds in its user's frequency caps until it is seen or expires. */
export interface HeldCaps {
  user: string;
  reservedAtMs: number;
  windows: Pick<CapWindow, "key" | "windowMs">[];
}

/** An offer as it was served: everything that counting and billing will ever need, frozen. */
export interface OfferRecord {
  readonly id: string;
  readonly requestId: string;
  /** The publisher's tenant. */
  readonly tenantId: string;
  readonly channelId: string;
  readonly mode: "test" | "live";
  readonly buyerTenantId: string;
  readonly advertiserId: string;
  readonly campaignId: string;
  readonly creativeId: string;
  /** "" when a creative was served rather than a product of a feed. */
  readonly productId: string;
  readonly model: PriceModel;
  /** What one event costs; 0 for house and test offers. */
  readonly priceNanos: number;
  /** Served by the demo tenant's network campaigns on somebody else's channel. */
  readonly house: boolean;
  readonly landingUrl: string;
  readonly placement: string;
  readonly geo: string;
  readonly device: string;
  readonly locale: string;
  readonly caps: HeldCaps | null;
  /** The pseudonym of the user, where one was named and may be remembered; else "". */
  readonly userKey: string;
  /** Known to this process to have been counted already; Postgres has the last word. */
  seen: boolean;
  /** The click id of the first valid click, as far as this process knows. */
  clickId: string | undefined;
}
