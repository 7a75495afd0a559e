import { uuidv7Ms } from "../../kernel/ids";
import type { OfferRecord } from "../offers/offer-record";

/** One row of a ClickHouse table, in its column names. */
export type FactRow = Record<string, string | number>;
export type FactTable = "requests" | "offers" | "impressions" | "clicks" | "conversions";

/** DateTime64(3) wants a space and no zone. */
export const clickhouseTime = (ms: number): string => new Date(ms).toISOString().replace("T", " ").slice(0, 23);

/** What a row of `requests` and those of its `offers` share. */
export interface RequestFields {
  at: string;
  request_id: string;
  tenant_id: string;
  channel_id: string;
  mode: string;
  placement: string;
  geo: string;
  device: string;
  locale: string;
}

/** Why a request got no offers; "" when it got some. */
export type EmptyReason = "" | "no_match" | "frequency_cap" | "empty_request";

/** The rows of a request: one of `requests`, and one of `offers` for each offer that answered it. */
export function requestRows(
  fields: RequestFields,
  { records, reason }: { records: readonly OfferRecord[]; reason: EmptyReason },
): [FactTable, FactRow][] {
  const rows: [FactTable, FactRow][] = [["requests", { ...fields, served: records.length, reason }]];
  for (const record of records) rows.push(["offers", { ...fields, ...offerFields(record) }]);
  return rows;
}

const offerFields = (record: OfferRecord) => ({
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
