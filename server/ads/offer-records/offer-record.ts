import type { CapWindow } from "../../engines/counters/counters";
import type { PriceModel } from "../../kernel/money";

/** Reserved impressions in the user's frequency caps, held until the offer is seen or expires. */
export interface ReservedCaps {
  user: string;
  reservedAtMs: number;
  windows: Pick<CapWindow, "key" | "windowMs">[];
}

/** An offer as it was served, with everything that counting and billing need. It never changes. */
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
  /** Empty if a creative was served instead of a feed product. */
  readonly productId: string;
  readonly model: PriceModel;
  /** The price of one event; 0 for house and test offers. */
  readonly priceNanos: number;
  /** Served by a network campaign of the demo tenant on another tenant's channel. */
  readonly house: boolean;
  readonly landingUrl: string;
  readonly placement: string;
  readonly geo: string;
  readonly device: string;
  readonly locale: string;
  readonly caps: ReservedCaps | null;
  /** The user's pseudonym; empty if the request has no user id or consent forbids storing it. */
  readonly userKey: string;
  /** This process knows that it has been counted. Postgres is authoritative. */
  seen: boolean;
  /** A report of this event failed in this process but may have been counted, so a retry is not a duplicate. */
  reportFailed?: boolean;
  /** The click id of the first valid click, if known to this process. */
  clickId: string | undefined;
}
