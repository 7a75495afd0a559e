import type { OfferRecord } from "../offer-records/offer-record";
import { clickhouseTime, type FactRow, type FactTable } from "./fact-rows";

/** The columns that a row of `requests` shares with its rows of `offers`. */
interface RequestFields {
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

interface ServedRequest {
  atMs: number;
  /** In the order of the response. */
  records: readonly OfferRecord[];
  reason: EmptyReason;
  /** The words of the query from which term affinities are learned; empty if there are none or consent forbids it. */
  terms: readonly string[];
}

/** The rows of a request: one in `requests`, and one in `offers` per returned offer. */
export function requestRows(
  request: RequestFields,
  { atMs, records, reason, terms }: ServedRequest,
): [FactTable, FactRow][] {
  const fields = { at: clickhouseTime(atMs), ...request };
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
