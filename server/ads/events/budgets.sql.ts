import type { Pool, PoolClient } from "pg";
import { inTransaction } from "../../engines/postgres/in-transaction";
import { LocalDays } from "../budgets/local-days";
import { spentEver, spentOn } from "../budgets/spent";
import { keyLimitsOf } from "../offer-records/offers.sql";
import {
  type Claim,
  type ClaimOutcome,
  type ClaimTable,
  claimEvents,
  type DatedClaim,
  type ZonedClaim,
} from "./claims.sql";
import { type Balances, type Budget, dayKey, type Spend, withinBudgets } from "./within-budgets";

/**
 * Claims events of campaigns that have a budget or use a prepaid balance. One transaction locks these campaigns and
 * balances, reads what is left of them and commits the new spend, so two processes cannot both use the last of it. A
 * claim whose charge does not fit still succeeds, without a charge and as `over_budget` or `no_balance`.
 */
export const claimWithinBudgets = (
  sql: Pool,
  table: ClaimTable,
  claims: readonly ZonedClaim[],
): Promise<Map<string, ClaimOutcome>> => inTransaction(sql, (client) => claimHeld(client, table, claims));

/** Separate statements: only a statement that begins after the lock sees what its last owner spent. */
async function claimHeld(
  client: PoolClient,
  table: ClaimTable,
  claims: readonly ZonedClaim[],
): Promise<Map<string, ClaimOutcome>> {
  const priced = claims.filter(({ chargeNanos }) => chargeNanos > 0);
  const budgets = await holdBudgets(client, priced);
  const balances = await holdBalances(client, priced);
  const open = await holdOffers(client, table, claims);
  if (open.length === 0) return new Map();
  const days = new LocalDays();
  const dated = open.map(({ timezone, ...claim }) => ({
    ...claim,
    day: days.of(budgets.get(claim.campaignId)?.timezone ?? timezone, claim.at).day,
  }));
  const spend = await readSpend(client, dated);
  return claimEvents(client, { table, budgetsHeld: true }, withinBudgets(dated, budgets, { spend, balances }));
}

/**
 * Campaigns with a budget, locked in id order and always before balances and offers. Reading or targeting a campaign
 * does not wait for these locks.
 */
async function holdBudgets(client: PoolClient, claims: readonly Claim[]): Promise<Map<string, Budget>> {
  const { rows } = await client.query<Budget & { id: string }>({
    name: "hold_budgets",
    text: `SELECT id, timezone, daily_budget_micros AS "dailyMicros", total_budget_micros AS "totalMicros"
           FROM campaigns
           WHERE id = ANY ($1::text[]) AND (daily_budget_micros IS NOT NULL OR total_budget_micros IS NOT NULL)
           ORDER BY id FOR NO KEY UPDATE`,
    values: [[...new Set(claims.map(({ campaignId }) => campaignId))]],
  });
  return new Map(rows.map(({ id, ...budget }) => [id, budget]));
}

/** Locked in tenant order, after campaigns and before offers. */
async function holdBalances(client: PoolClient, claims: readonly Claim[]): Promise<Balances> {
  const payers = new Set(claims.flatMap(({ payerId }) => payerId ?? []));
  if (payers.size === 0) return new Map();
  const { rows } = await client.query<{ id: string; available: string }>({
    name: "hold_balances",
    text: `SELECT tenant_id AS id, (credited_nanos - spent_nanos)::text AS available
           FROM tenant_balances WHERE tenant_id = ANY ($1::text[]) ORDER BY tenant_id FOR NO KEY UPDATE`,
    values: [[...payers]],
  });
  return new Map(rows.map(({ id, available }) => [id, BigInt(available)]));
}

const holdStatement = (column: "seen_at" | "clicked_at"): string => `
  SELECT id FROM offers WHERE id = ANY ($1::uuid[]) AND id >= $2::uuid AND id <= $3::uuid AND ${column} IS NULL
  ORDER BY id FOR UPDATE`;
const HOLD_OFFERS = {
  impressions: { name: "hold_unseen_offers", text: holdStatement("seen_at") },
  clicks: { name: "hold_unclicked_offers", text: holdStatement("clicked_at") },
};

/** The claims that were not made before, in the order of their offers' ids. */
async function holdOffers<T extends Claim>(client: PoolClient, table: ClaimTable, claims: readonly T[]): Promise<T[]> {
  const ids = claims.map(({ offerId }) => offerId);
  const { rows } = await client.query<{ id: string }>({ ...HOLD_OFFERS[table], values: [ids, ...keyLimitsOf(ids)] });
  const claimById = new Map(claims.map((claim) => [claim.offerId, claim]));
  return rows.flatMap(({ id }) => claimById.get(id) ?? []);
}

/**
 * What the campaigns spent in total and on the days of these claims. Reads two rows for each, whatever the campaign's
 * age.
 */
async function readSpend(client: PoolClient, claims: readonly DatedClaim[]): Promise<Spend> {
  const requested = [...new Map(claims.map((claim) => [dayKey(claim), claim])).values()];
  const { rows } = await client.query<{ campaignId: string; day: string; today: string; total: string }>({
    name: "read_budget_spend",
    text: `SELECT a.id AS "campaignId", a.day::text, ${spentOn("a.id", "a.day")}::text AS today, ${spentEver("a.id")}::text AS total
           FROM unnest($1::text[], $2::date[]) AS a(id, day)`,
    values: [requested.map(({ campaignId }) => campaignId), requested.map(({ day }) => day)],
  });
  return {
    today: new Map(rows.map((row) => [dayKey(row), BigInt(row.today)])),
    total: new Map(rows.map((row) => [row.campaignId, BigInt(row.total)])),
  };
}
