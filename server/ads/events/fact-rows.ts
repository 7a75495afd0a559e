import { uuidv7Ms } from "../../kernel/ids";
import type { OfferRecord } from "../offer-records/offer-record";

/** One row of a ClickHouse table, with its column names. */
export type FactRow = Record<string, string | number | readonly string[]>;
export type FactTable = "requests" | "offers" | "impressions" | "clicks" | "conversions";

/** DateTime64(3) expects a space and no zone. */
export const clickhouseTime = (ms: number): string => new Date(ms).toISOString().replace("T", " ").slice(0, 23);

/** The columns that a row of `requests` shares with its rows of `offers`. */
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

/** Why a request got no offers; "" if it got some. */
export type EmptyReason = "" | "no_match" | "frequency_cap" | "empty_request";

export interface ServedRequest {
  /** In the order of the response. */
  records: readonly OfferRecord[];
  reason: EmptyReason;
  /** The words of the query from which term affinities are learned; empty if there are none or consent forbids it. */
  terms: readonly string[];
}

/** The rows of a request: one in `requests`, and one in `offers` per returned offer. */
export function requestRows(fields: RequestFields, { records, reason, terms }: ServedRequest): [FactTable, FactRow][] {
  const rows: [FactTable, FactRow][] = [["requests", { ...fields, served: records.length, reason }]];
  for (const [position, record] of records.entries()) {
    rows.push(["offers", { ...fields, ...offerFields(record), position, ...(terms.length > 0 && { terms }) }]);
  }
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
