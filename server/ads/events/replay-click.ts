import type { OfferRecord } from "../offer-records/offer-record";
import type { OfferRecords } from "../offer-records/offer-records";
import type { Claims } from "./claims";
import type { Claim } from "./claims.sql";
import { chargeOf, eventRow, NO_CHARGE, payerOf } from "./event-rows";
import type { PendingClick } from "./fact-log";
import type { FactRow } from "./fact-rows";

/**
 * Claims a click that was accepted while Postgres was unavailable. Returns a duplicate's row, and nothing for the first
 * click.
 */
export type ReplayClick = (click: PendingClick) => Promise<FactRow[]>;

/**
 * Safe to repeat: a click that an earlier attempt claimed finds its own id on the record and adds nothing, and a
 * duplicate remains one, so every attempt returns the same rows.
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

/** The claim of a click: what the ledger and ClickHouse receive if it is the offer's first. */
export function claimOf(record: OfferRecord, click: { clickId: string; at: number; publisherShare: number }): Claim {
  const { clickId, at, publisherShare } = click;
  const charge = chargeOf(record, "click", publisherShare);
  const row = { ...eventRow(record, at, charge), click_id: clickId, traffic: "" };
  const { id: offerId, campaignId } = record;
  return { offerId, at, clickId, campaignId, chargeNanos: charge.chargeNanos, payerId: payerOf(record), row };
}
