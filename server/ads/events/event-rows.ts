import { uuidv7Ms } from "../../kernel/ids";
import type { OfferRecord } from "../offer-records/offer-record";
import { clickhouseTime, type FactRow } from "./fact-rows";

/** The amounts of one counted event: what the buyer pays and what the publisher earns. */
export interface Charge {
  chargeNanos: number;
  earningNanos: number;
}

/** A row of `impressions` or `clicks`, without the columns that only one of them has. */
export function eventRow(record: OfferRecord, at: number, { chargeNanos, earningNanos }: Charge): FactRow {
  return {
    at: clickhouseTime(at),
    offer_id: record.id,
    served_at: clickhouseTime(uuidv7Ms(record.id)),
    tenant_id: record.tenantId,
    channel_id: record.channelId,
    mode: record.mode,
    buyer_tenant_id: record.buyerTenantId,
    advertiser_id: record.advertiserId,
    campaign_id: record.campaignId,
    creative_id: record.creativeId,
    product_id: record.productId,
    placement: record.placement,
    geo: record.geo,
    device: record.device,
    locale: record.locale,
    house: record.house ? 1 : 0,
    charge_nanos: chargeNanos,
    earning_nanos: earningNanos,
  };
}

export const NO_CHARGE: Charge = { chargeNanos: 0, earningNanos: 0 };

/**
 * The amounts of an offer's first impression (cpm) or first click (cpc). A tenant's own campaigns on its own channels
 * are charged and earn nothing; the publisher's share is rounded down to a nano.
 */
export function chargeOf(record: OfferRecord, event: "impression" | "click", publisherShare: number): Charge {
  if ((record.model === "cpc") !== (event === "click")) return NO_CHARGE;
  const own = record.tenantId === record.buyerTenantId;
  return { chargeNanos: record.priceNanos, earningNanos: own ? 0 : Math.floor(record.priceNanos * publisherShare) };
}

/** The tenant whose prepaid balance pays for an offer's events; null if a tenant's campaign is on its own channel. */
export const payerOf = ({ tenantId, buyerTenantId }: OfferRecord): string | null =>
  tenantId === buyerTenantId ? null : buyerTenantId;
