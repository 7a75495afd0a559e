import type { Pool } from "pg";
import { keyLimitsOf } from "../offer-records/offers.sql";
import type { FactRow } from "./fact-rows";

export type ClaimTable = "impressions" | "clicks";

/** An event that can happen once per offer. */
export interface Claim {
  offerId: string;
  at: number;
  /** Only for clicks. */
  clickId: string | null;
  campaignId: string;
  chargeNanos: number;
  /** The tenant whose prepaid balance pays; null on the campaign's own channels. */
  payerId: string | null;
  /** The row for ClickHouse if the claim succeeds. */
  row: FactRow;
}

/** A claim and the time zone of its campaign. */
export interface ZonedClaim extends Claim {
  timezone: string;
}

/** A claim with the day of its charge, as YYYY-MM-DD in its campaign's time zone. */
export interface DatedClaim extends Claim {
  day: string;
}

/**
 * `has_budget`: nothing was written, because the claim has a charge and its campaign a budget that must be checked
 * first.
 */
export type ClaimOutcome = "won" | "lost" | "has_budget";

const EVENTS: Readonly<Record<ClaimTable, string>> = { impressions: "impression", clicks: "click" };

/** What frequency caps count until the offer's last window ends; the counters are rebuilt from it. */
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
 * One statement, so one transaction. It marks the unmarked offers, and only for these writes the outbox row, the cap
 * event, the ledger row and, for new ledger rows, the spend of the campaign's day and of the buyer's prepaid balance.
 * Rows are locked in id order, so two processes cannot deadlock. Days are computed in Node.js: an unknown time zone
 * name would fail the claims of every tenant in the group.
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
    RETURNING o.id, o.buyer_tenant_id, o.tenant_id, o.channel_id, o.caps
  ), noted AS (
    INSERT INTO outbox ("table", row) SELECT '${table}', a.row FROM asked a JOIN claimed USING (id)
  ), billed AS (
    INSERT INTO ledger (offer_id, event, at, day, campaign_id, buyer_tenant_id, publisher_tenant_id, channel_id,
      charge_nanos, earning_nanos)
    SELECT id, '${EVENTS[table]}', a.at, a.day, a.campaign_id, c.buyer_tenant_id, c.tenant_id, c.channel_id,
      a.charge_nanos, (a.row->>'earning_nanos')::bigint
    FROM asked a JOIN claimed c USING (id)
    WHERE a.charge_nanos > 0
    ON CONFLICT DO NOTHING
    RETURNING campaign_id, day, charge_nanos, buyer_tenant_id, publisher_tenant_id
  ), spent AS (
    INSERT INTO campaign_spend (campaign_id, day, nanos)
    SELECT campaign_id, day, sum(charge_nanos) FROM billed
    GROUP BY 1, 2 ORDER BY 1, 2
    ON CONFLICT (campaign_id, day) DO UPDATE SET nanos = campaign_spend.nanos + excluded.nanos
  ), prepaid AS (
    UPDATE tenant_balances b SET spent_nanos = b.spent_nanos + paid.nanos
    FROM (
      SELECT buyer_tenant_id, sum(charge_nanos) AS nanos FROM billed WHERE buyer_tenant_id <> publisher_tenant_id GROUP BY 1
    ) paid
    WHERE b.tenant_id = paid.buyer_tenant_id
  )${table === "impressions" ? COUNTED : ""}
  SELECT id, true AS won FROM claimed UNION ALL SELECT id, false FROM budgeted`;

const STATEMENTS = {
  impressions: { name: "claim_impressions", text: claimStatement("seen_at", "impressions") },
  clicks: { name: "claim_clicks", text: claimStatement("clicked_at", "clicks") },
};

export interface ClaimEvents {
  table: ClaimTable;
  /** The caller has locked the budgets and balances of these claims and checked that every charge fits. */
  budgetsHeld: boolean;
}

/**
 * Returns the outcomes of `claims` (each offer at most once); an offer that is missing from the result was already
 * claimed.
 */
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
  const values = [JSON.stringify(asked), ids, ...keyLimitsOf(ids), budgetsHeld];
  const { rows } = await sql.query<{ id: string; won: boolean }>({ ...STATEMENTS[table], values });
  return new Map(rows.map(({ id, won }) => [id, won ? "won" : "has_budget"]));
}
