import type { Pool } from "pg";
import { uuidv7Floor } from "../../kernel/ids";
import { OFFER_AHEAD_MS, OFFER_COUNTS_MS } from "../limits";
import { type ClawbackTerms, EVENTS_PER_BATCH_MAX, type EventKey } from "./clawback";

/** An event that has not been reversed. */
export interface ReversibleEvent extends EventKey {
  at: Date;
  campaignId: string;
  buyerTenantId: string;
  chargeNanos: bigint;
  earningNanos: bigint;
}

interface LedgerRow extends ReversibleEvent {
  isTaken: boolean;
}

/**
 * Reads at most $6 rows of the ledger in index order, so that no step takes long even if most rows do not match or have
 * been reversed. Rows without a channel are read under "" and get their channel from their offer; a row whose offer is
 * no longer stored is skipped.
 */
const STEP = `
  SELECT l.offer_id AS "offerId", l.event, l.at, l.campaign_id AS "campaignId", l.buyer_tenant_id AS "buyerTenantId",
    l.charge_nanos AS "chargeNanos", l.earning_nanos AS "earningNanos",
    l.at >= $7 AND l.at < $8 AND l.publisher_tenant_id = $9 AND l.buyer_tenant_id <> $9
      AND ($1 <> '' OR EXISTS (SELECT FROM offers o WHERE o.id = l.offer_id AND o.channel_id = $10))
      AND NOT EXISTS (SELECT FROM ledger r WHERE r.offer_id = l.offer_id AND r.event = l.event || '_reversal') AS "isTaken"
  FROM (
    SELECT * FROM ledger
    WHERE channel_id = $1 AND charge_nanos > 0 AND offer_id >= $2::uuid AND offer_id <= $3::uuid
      AND ($11::uuid[] IS NULL OR offer_id = ANY ($11::uuid[])) AND (offer_id, event) > ($4::uuid, $5::text)
    ORDER BY offer_id, event LIMIT $6
  ) l
  ORDER BY l.offer_id, l.event`;

const FIRST: EventKey = { offerId: "00000000-0000-0000-0000-000000000000", event: "" };

/** The events of a clawback that have not been reversed, in batches, in offer order. */
export async function* reversibleEvents(
  sql: Pick<Pool, "query">,
  terms: ClawbackTerms,
): AsyncGenerator<ReversibleEvent[]> {
  for (const channel of [terms.channelId, ""]) {
    for (let after: EventKey | undefined = FIRST; after; ) {
      const rows: LedgerRow[] = await step(sql, terms, { channel, after });
      const taken = rows.filter(({ isTaken }) => isTaken);
      if (taken.length > 0) yield taken;
      after = rows.length < EVENTS_PER_BATCH_MAX ? undefined : rows.at(-1);
    }
  }
}

async function step(
  sql: Pick<Pool, "query">,
  terms: ClawbackTerms,
  { channel, after }: { channel: string; after: EventKey },
): Promise<LedgerRow[]> {
  const { rows } = await sql.query<LedgerRow>(STEP, [
    channel,
    ...offerIdBounds(terms),
    after.offerId,
    after.event,
    EVENTS_PER_BATCH_MAX,
    terms.from,
    terms.to,
    terms.publisherTenantId,
    terms.channelId,
    terms.offerIds,
  ]);
  return rows;
}

/** An offer's id contains the time of serving; its charged event comes later, while the offer counts. */
const offerIdBounds = ({ from, to }: ClawbackTerms): [string, string] => [
  uuidv7Floor(Math.max(0, from.getTime() - OFFER_COUNTS_MS - OFFER_AHEAD_MS)),
  uuidv7Floor(to.getTime() + OFFER_AHEAD_MS),
];
