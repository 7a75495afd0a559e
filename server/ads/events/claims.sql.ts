import type { Pool } from "pg";
import { boundsOf } from "../offers/offers.sql";
import type { FactRow } from "./fact-rows";

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

/**
 * One statement, so one transaction: marks the offers that were not yet marked, and for just these writes the outbox
 * row and the spend of the campaign's day. Rows are locked in id order, so two processes cannot block each other for ever.
 */
const claimStatement = (column: "seen_at" | "clicked_at", table: "impressions" | "clicks"): string => `
  WITH asked AS MATERIALIZED (
    SELECT * FROM json_to_recordset($1::json)
      AS a(id uuid, at timestamptz, click_id text, campaign_id text, charge_nanos bigint, row jsonb)
  ), locked AS MATERIALIZED (
    SELECT id FROM offers
    WHERE id = ANY ($2::uuid[]) AND id >= $3::uuid AND id <= $4::uuid AND ${column} IS NULL
    ORDER BY id FOR UPDATE
  ), claimed AS (
    UPDATE offers o SET ${column} = a.at, click_id = coalesce(a.click_id, o.click_id)
    FROM asked a JOIN locked USING (id)
    WHERE o.id = a.id AND o.id >= $3::uuid AND o.id <= $4::uuid
    RETURNING o.id
  ), noted AS (
    INSERT INTO outbox ("table", row) SELECT '${table}', a.row FROM asked a JOIN claimed USING (id)
  ), spent AS (
    INSERT INTO campaign_spend (campaign_id, day, nanos)
    SELECT c.id, (a.at AT TIME ZONE c.timezone)::date, sum(a.charge_nanos)
    FROM asked a JOIN claimed USING (id) JOIN campaigns c ON c.id = a.campaign_id
    WHERE a.charge_nanos > 0
    GROUP BY 1, 2 ORDER BY 1, 2
    ON CONFLICT (campaign_id, day) DO UPDATE SET nanos = campaign_spend.nanos + excluded.nanos
  )
  SELECT id FROM claimed`;

const STATEMENTS = {
  impressions: { name: "claim_impressions", text: claimStatement("seen_at", "impressions") },
  clicks: { name: "claim_clicks", text: claimStatement("clicked_at", "clicks") },
};

/** The offer ids among `claims` (each at most once) whose event this call was the first to record. */
export async function claimEvents(
  sql: Pool,
  table: keyof typeof STATEMENTS,
  claims: readonly Claim[],
): Promise<Set<string>> {
  const ids = claims.map((claim) => claim.offerId);
  const asked = claims.map((claim) => ({
    id: claim.offerId,
    at: new Date(claim.at).toISOString(),
    click_id: claim.clickId,
    campaign_id: claim.campaignId,
    charge_nanos: claim.chargeNanos,
    row: claim.row,
  }));
  const values = [JSON.stringify(asked), ids, ...boundsOf(ids)];
  const { rows } = await sql.query<{ id: string }>({ ...STATEMENTS[table], values });
  return new Set(rows.map(({ id }) => id));
}
