import { uuidv7Ms } from "../../kernel/ids";
import type { OfferRecord } from "../offers/offer-record";

/** One row of a ClickHouse table, in its column names. */
export type FactRow = Record<string, string | number>;
export type FactTable = "requests" | "offers" | "impressions" | "clicks" | "conversions";

/** Why an event does not count; "" when it does. */
export type Traffic = "" | "duplicate" | "expired" | "rate_limited";

/** DateTime64(3) wants a space and no zone. */
export const clickhouseTime = (ms: number): string => new Date(ms).toISOString().replace("T", " ").slice(0, 23);

/** A request as the write-ahead file keeps it, with the offers that answered it. */
export interface RequestFact {
  at: number;
  request_id: string;
  tenant_id: string;
  channel_id: string;
  mode: string;
  placement: string;
  geo: string;
  device: string;
  locale: string;
  reason: "" | "no_match" | "frequency_cap" | "empty_request";
  offers: {
    offer_id: string;
    buyer_tenant_id: string;
    advertiser_id: string;
    campaign_id: string;
    creative_id: string;
    product_id: string;
    model: string;
    price_nanos: number;
    house: number;
  }[];
}

export const servedOffer = (record: OfferRecord): RequestFact["offers"][number] => ({
  offer_id: record.id,
  buyer_tenant_id: record.buyerTenantId,
  advertiser_id: record.advertiserId,
  campaign_id: record.campaignId,
  creative_id: record.creativeId,
  product_id: record.productId,
  model: record.model,
  price_nanos: record.priceNanos,
  house: record.house ? 1 : 0,
});

/** The rows of a request: one of `requests`, one of `offers` for each offer. */
export function requestRows(fact: RequestFact): [FactTable, FactRow][] {
  const { offers, reason, at, ...shared } = fact;
  const time = clickhouseTime(at);
  const rows: [FactTable, FactRow][] = [["requests", { at: time, ...shared, served: offers.length, reason }]];
  for (const offer of offers) rows.push(["offers", { at: time, ...shared, ...offer }]);
  return rows;
}

/** The money of one counted event: what the buyer pays and what the publisher earns of it. */
export interface Charge {
  chargeNanos: number;
  earningNanos: number;
}

/** A row of `impressions` or `clicks`, less what only one of them has. */
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
 * What a first impression or first click of an offer costs: clicks under cpc, impressions under cpm. A tenant's own
 * campaigns on its own channels are charged and earn nothing; the share is rounded down to a nano.
 */
export function chargeOf(record: OfferRecord, event: "impression" | "click", publisherShare: number): Charge {
  if ((record.model === "cpc") !== (event === "click")) return NO_CHARGE;
  const own = record.tenantId === record.buyerTenantId;
  return { chargeNanos: record.priceNanos, earningNanos: own ? 0 : Math.floor(record.priceNanos * publisherShare) };
}
