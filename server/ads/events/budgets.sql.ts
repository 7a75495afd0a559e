import type { Pool, PoolClient } from "pg";
import { boundsOf } from "../offers/offers.sql";
import { type Claim, type ClaimOutcome, type ClaimTable, claimEvents, type DatedClaim } from "./claims.sql";
import { spendDays } from "./spend-days";
import { type Budget, dayKey, type Spend, withinBudgets } from "./within-budgets";

/**
 * Claims events of campaigns that have a budget, in one transaction that holds these campaigns from before it reads
 * what they spent until the new spend is committed: two processes cannot both take the last of a budget. A claim whose
 * charge does not fit is won all the same, at no charge and as `over_budget`.
 */
export async function claimWithinBudgets(
  sql: Pool,
  table: ClaimTable,
  claims: readonly Claim[],
): Promise<Map<string, ClaimOutcome>> {
  const client = await sql.connect();
  let isBroken = false;
  try {
    await client.query("BEGIN");
    const outcomes = await claimHeld(client, table, claims);
    await client.query("COMMIT");
    return outcomes;
  } catch (failure) {
    await client.query("ROLLBACK").catch(() => {
      isBroken = true;
    });
    throw failure;
  } finally {
    client.release(isBroken);
  }
}

/** Each step is a statement of its own: only a statement that begins after the lock sees what its last holder spent. */
async function claimHeld(
  client: PoolClient,
  table: ClaimTable,
  claims: readonly Claim[],
): Promise<Map<string, ClaimOutcome>> {
  const budgets = await holdBudgets(client, claims);
  const open = await holdOffers(client, table, claims);
  if (open.length === 0) return new Map();
  const dayOf = spendDays();
  const dated = open.map((claim) => ({
    ...claim,
    day: dayOf(budgets.get(claim.campaignId)?.timezone ?? "UTC", claim.at),
  }));
  const spend = await readSpend(client, dated);
  return claimEvents(client, { table, budgetsHeld: true }, withinBudgets(dated, budgets, spend));
}

/** Campaigns are locked in id order, and always before offers; reading or targeting a campaign waits for none of it. */
async function holdBudgets(client: PoolClient, claims: readonly Claim[]): Promise<Map<string, Budget>> {
  const { rows } = await client.query<Budget & { id: string }>({
    name: "hold_budgets",
    text: `SELECT id, timezone, daily_budget_micros AS "dailyMicros", total_budget_micros AS "totalMicros"
           FROM campaigns WHERE id = ANY ($1::text[]) ORDER BY id FOR NO KEY UPDATE`,
    values: [[...new Set(claims.map(({ campaignId }) => campaignId))]],
  });
  return new Map(rows.map(({ id, ...budget }) => [id, budget]));
}

const holdStatement = (column: "seen_at" | "clicked_at"): string => `
  SELECT id FROM offers WHERE id = ANY ($1::uuid[]) AND id >= $2::uuid AND id <= $3::uuid AND ${column} IS NULL
  ORDER BY id FOR UPDATE`;
const HOLD_OFFERS = {
  impressions: { name: "hold_unseen_offers", text: holdStatement("seen_at") },
  clicks: { name: "hold_unclicked_offers", text: holdStatement("clicked_at") },
};

/** The claims that nobody made before, in the order of their offers' ids. */
async function holdOffers(client: PoolClient, table: ClaimTable, claims: readonly Claim[]): Promise<Claim[]> {
  const ids = claims.map(({ offerId }) => offerId);
  const { rows } = await client.query<{ id: string }>({ ...HOLD_OFFERS[table], values: [ids, ...boundsOf(ids)] });
  const claimById = new Map(claims.map((claim) => [claim.offerId, claim]));
  return rows.flatMap(({ id }) => claimById.get(id) ?? []);
}

/** What the campaigns spent ever and on the days of these claims. */
async function readSpend(client: PoolClient, claims: readonly DatedClaim[]): Promise<Spend> {
  const asked = [...new Map(claims.map((claim) => [dayKey(claim), claim])).values()];
  const { rows } = await client.query<{ campaignId: string; day: string; today: string; total: string }>({
    name: "read_budget_spend",
    text: `SELECT a.id AS "campaignId", a.day::text, coalesce(sum(s.nanos) FILTER (WHERE s.day = a.day), 0)::text AS today,
             coalesce(sum(s.nanos), 0)::text AS total
           FROM unnest($1::text[], $2::date[]) AS a(id, day) JOIN campaign_spend s ON s.campaign_id = a.id
           GROUP BY a.id, a.day`,
    values: [asked.map(({ campaignId }) => campaignId), asked.map(({ day }) => day)],
  });
  return {
    today: new Map(rows.map((row) => [dayKey(row), BigInt(row.today)])),
    total: new Map(rows.map((row) => [row.campaignId, BigInt(row.total)])),
  };
}
