import type { OfferRecord } from "../offers/offer-record";
import type { OfferRecords } from "../offers/offer-records";
import type { Claims } from "./claims";
import type { Claim } from "./claims.sql";
import type { PendingClick } from "./fact-log";
import { chargeOf, eventRow, type FactRow, NO_CHARGE } from "./fact-rows";

/** Claims a click that was answered while Postgres was away; answers the row of a loser, nothing for a winner. */
export type ReplayClick = (click: PendingClick) => Promise<FactRow[]>;

/**
 * Safe to repeat: a click that was claimed in an earlier try finds its own id on the record and adds nothing, and one
 * that lost goes on losing, so that every try yields the same rows.
 */
export function createReplayClick(parts: {
  records: OfferRecords;
  claims: Claims;
  publisherShare: number;
}): ReplayClick {
  const { records, claims, publisherShare } = parts;
  return async ({ offer_id, click_id, at }) => {
    const record = await records.refresh(offer_id);
    if (!record) return [];
    if (record.clickId === undefined)
      await claims.claim("clicks", claimOf(record, { clickId: click_id, at, publisherShare }));
    const winner = record.clickId ?? (await records.refresh(offer_id))?.clickId;
    if (winner === click_id) return [];
    return [{ ...eventRow(record, at, NO_CHARGE), click_id: winner ?? "", traffic: "duplicate" }];
  };
}

/** The claim of a click: what the ledger and ClickHouse get when it is the offer's first. */
export function claimOf(record: OfferRecord, click: { clickId: string; at: number; publisherShare: number }): Claim {
  const { clickId, at, publisherShare } = click;
  const charge = chargeOf(record, "click", publisherShare);
  const row = { ...eventRow(record, at, charge), click_id: clickId, traffic: "" };
  return { offerId: record.id, at, clickId, campaignId: record.campaignId, chargeNanos: charge.chargeNanos, row };
}
