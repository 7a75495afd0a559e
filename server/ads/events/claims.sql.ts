import type { Pool } from "pg";
import { boundsOf } from "../offers/offers.sql";
import type { FactRow } from "./fact-rows";

export type ClaimTable = "impressions" | "clicks";

/** An event that may happen once an offer. */
export interface Claim {
  offerId: string;
  at: number;
  /** Only of clicks. */
  clickId: string | null;
  campaignId: string;
  chargeNanos: number;
  /** What ClickHouse gets when the claim is won. */
  row: FactRow;
}

/** A claim with the day, as YYYY-MM-DD in its campaign's time zone, that its charge belongs to. */
export interface DatedClaim extends Claim {
  day: string;
}

/** `has_budget`: nothing was written, because the claim costs and its campaign has a budget to look at first. */
export type ClaimOutcome = "won" | "lost" | "has_budget";

const EVENTS: Readonly<Record<ClaimTable, string>> = { impressions: "impression", clicks: "click" };

/** What frequency caps count, as long as one of the offer's windows lasts: the counters are rebuilt from it. */
const COUNTED = `, counted AS (
    INSERT INTO cap_events (id, user_key, at, ends_at, windows)
    SELECT c.id, c.caps->>'user', c.at, c.ends_at, c.caps->'windows'
    FROM (
      SELECT id, caps, served.at, served.at + longest.ms * interval '1 millisecond' AS ends_at
      FROM claimed,
        LATERAL (SELECT to_timestamp((caps->>'reservedAtMs')::bigint / 1000.0) AS at) served,
        LATERAL (SELECT max((w->>'windowMs')::bigint) AS ms FROM jsonb_array_elements(caps->'windows') w) longest
      WHERE jsonb_typeof(caps) = 'object'
    ) c JOIN asked a USING (id)
    WHERE c.ends_at > a.at
  )`;

/**
 * One statement, so one transaction: marks the offers that were not yet marked, and for just these writes the outbox
 * row, what frequency caps count, the ledger and, from what the ledger took, the spend of the campaign's day. Rows are
 * locked in id order, so two processes cannot block each other for ever. Days come from Node: an unknown name of a time
 * zone would fail the claims of every tenant in the group.
 */
const claimStatement = (column: "seen_at" | "clicked_at", table: ClaimTable): string => `
  WITH asked AS MATERIALIZED (
    SELECT * FROM json_to_recordset($1::json)
      AS a(id uuid, at timestamptz, click_id text, campaign_id text, charge_nanos bigint, day date, row jsonb)
  ), budgeted AS MATERIALIZED (
    SELECT a.id FROM asked a JOIN campaigns c ON c.id = a.campaign_id
    WHERE NOT $5::boolean AND a.charge_nanos > 0
      AND (c.daily_budget_micros IS NOT NULL OR c.total_budget_micros IS NOT NULL)
  ), locked AS MATERIALIZED (
    SELECT id FROM offers
    WHERE id = ANY ($2::uuid[]) AND id >= $3::uuid AND id <= $4::uuid AND ${column} IS NULL
      AND NOT (id = ANY (ARRAY(SELECT id FROM budgeted)))
    ORDER BY id FOR UPDATE
  ), claimed AS (
    UPDATE offers o SET ${column} = a.at, click_id = coalesce(a.click_id, o.click_id)
    FROM asked a JOIN locked USING (id)
    WHERE o.id = a.id AND o.id >= $3::uuid AND o.id <= $4::uuid
    RETURNING o.id, o.buyer_tenant_id, o.tenant_id, o.caps
  ), noted AS (
    INSERT INTO outbox ("table", row) SELECT '${table}', a.row FROM asked a JOIN claimed USING (id)
  ), billed AS (
    INSERT INTO ledger (offer_id, event, at, day, campaign_id, buyer_tenant_id, publisher_tenant_id, charge_nanos, earning_nanos)
    SELECT id, '${EVENTS[table]}', a.at, a.day, a.campaign_id, c.buyer_tenant_id, c.tenant_id, a.charge_nanos,
      (a.row->>'earning_nanos')::bigint
    FROM asked a JOIN claimed c USING (id)
    WHERE a.charge_nanos > 0
    ON CONFLICT DO NOTHING
    RETURNING campaign_id, day, charge_nanos
  ), spent AS (
    INSERT INTO campaign_spend (campaign_id, day, nanos)
    SELECT campaign_id, day, sum(charge_nanos) FROM billed
    GROUP BY 1, 2 ORDER BY 1, 2
    ON CONFLICT (campaign_id, day) DO UPDATE SET nanos = campaign_spend.nanos + excluded.nanos
  )${table === "impressions" ? COUNTED : ""}
  SELECT id, true AS won FROM claimed UNION ALL SELECT id, false FROM budgeted`;

const STATEMENTS = {
  impressions: { name: "claim_impressions", text: claimStatement("seen_at", "impressions") },
  clicks: { name: "claim_clicks", text: claimStatement("clicked_at", "clicks") },
};

export interface ClaimEvents {
  table: ClaimTable;
  /** The caller holds the budgets of these claims and knows that every charge fits. */
  budgetsHeld: boolean;
}

/** What became of `claims` (each offer at most once); an offer that is missing in the answer had been claimed before. */
export async function claimEvents(
  sql: Pick<Pool, "query">,
  { table, budgetsHeld }: ClaimEvents,
  claims: readonly DatedClaim[],
): Promise<Map<string, ClaimOutcome>> {
  const ids = claims.map((claim) => claim.offerId);
  const asked = claims.map((claim) => ({
    id: claim.offerId,
    at: new Date(claim.at).toISOString(),
    click_id: claim.clickId,
    campaign_id: claim.campaignId,
    charge_nanos: claim.chargeNanos,
    day: claim.day,
    row: claim.row,
  }));
  const values = [JSON.stringify(asked), ids, ...boundsOf(ids), budgetsHeld];
  const { rows } = await sql.query<{ id: string; won: boolean }>({ ...STATEMENTS[table], values });
  return new Map(rows.map(({ id, won }) => [id, won ? "won" : "has_budget"]));
}
