import { randomBytes } from "node:crypto";
import type { Pool } from "pg";
import { beforeEach, describe, expect, it } from "vitest";
import { adsTest, makeCampaign } from "../../../test/factories/ads";
import { offerRecord } from "../../../test/factories/offer-record";
import { openForFile } from "../../../test/factories/open-for-file";
import { connectPostgres } from "../../engines/postgres/connect-postgres";
import { campaignStates } from "../attention/attention.sql";
import { claimWithinBudgets } from "../events/budgets.sql";
import { claimOf } from "../events/replay-click";
import type { OfferRecord } from "../offer-records/offer-record";
import { insertOffers } from "../offer-records/offers.sql";
import { spendByDay, spentBefore } from "./campaign-spend.sql";
import { readSpend } from "./spend.sql";

const NOW = Date.now();
const TODAY = new Date(NOW).toISOString().slice(0, 10);
const YEARS_OF_DAYS = 3 * 365;

const ads = await openForFile(adsTest());
const ctx = (await ads.tenant()).key("live");
/** One connection for everything that reads much: another one would report its statistics later, in the middle of a count. */
const alone = await openForFile(connectPostgres(ads.url, { poolMax: 1 }));
// Enough other campaigns that a plan with full table scans costs more than one with index lookups.
await ads.sql.query(
  `INSERT INTO campaign_spend (campaign_id, day, nanos)
     SELECT 'cmp_other_' || c, current_date - d, 5 FROM generate_series(1, 300) c, generate_series(1, 40) d`,
);
await ads.sql.query("ANALYZE campaign_spend, campaign_totals");

let campaign: { id: string };
beforeEach(async () => {
  campaign = await makeCampaign(ctx, { model: "cpc", bid_micros: 10, total_budget_micros: 900_000, timezone: "UTC" });
});

const addHistory = () =>
  alone.sql.query(
    "INSERT INTO campaign_spend (campaign_id, day, nanos) SELECT $1, $2::date - d, 7 FROM generate_series(1, $3::int) d",
    [campaign.id, TODAY, YEARS_OF_DAYS],
  );

async function offerOf(sql: Pool, campaignId: string): Promise<OfferRecord> {
  const offer = offerRecord(NOW, { tenantId: "ten_publisher", buyerTenantId: ctx.actor.tenantId, campaignId });
  await insertOffers(sql, [offer]);
  return offer;
}

async function claimClick(sql: Pool, campaignId: string) {
  const offer = await offerOf(sql, campaignId);
  const claim = claimOf(offer, { clickId: randomBytes(16).toString("hex"), at: NOW, publisherShare: 0.7 });
  return claimWithinBudgets(sql, "clicks", [{ ...claim, payerId: null, timezone: "UTC" }]);
}

/** Rows of campaign_spend and campaign_totals that `run` reads, as counted by Postgres. */
async function rowsRead(run: (sql: Pool) => Promise<unknown>): Promise<number> {
  const read = async () => {
    await alone.sql.query("SELECT pg_stat_force_next_flush()");
    const { rows } = await alone.sql.query<{ count: number }>(
      `SELECT sum(seq_tup_read + coalesce(idx_tup_fetch, 0))::int AS count FROM pg_stat_user_tables
       WHERE relname IN ('campaign_spend', 'campaign_totals')`,
    );
    return rows[0]?.count ?? Number.NaN;
  };
  const before = await read();
  await run(alone.sql);
  return (await read()) - before;
}

describe("the number of rows read does not grow with three years of spend days", () => {
  const day = () => ({ id: campaign.id, day: TODAY });
  const owner = () => ({ tenantId: ctx.actor.tenantId, mode: "live" as const, now: new Date(NOW) });
  it.each<[string, (sql: Pool) => Promise<unknown>]>([
    ["by the budget check of every second", (sql) => readSpend(sql, [day()])],
    ["by a claim", (sql) => claimClick(sql, campaign.id)],
    ["by the list of problems", (sql) => campaignStates(sql, owner())],
    ["by the plan of a day", (sql) => spentBefore(sql, campaign.id, TODAY)],
  ])("%s", async (_name, run) => {
    await claimClick(alone.sql, campaign.id);
    const before = await rowsRead(run);
    await addHistory();
    expect(before).toBeGreaterThan(0);
    expect(await rowsRead(run)).toBe(before);
  });
});

it("totals of a long history equal the sum of its days", async () => {
  await claimClick(alone.sql, campaign.id);
  await addHistory();
  const past = BigInt(7 * YEARS_OF_DAYS);
  expect(await readSpend(ads.sql, [{ id: campaign.id, day: TODAY }])).toMatchObject([
    { today: "1000", total: String(past + 1000n) },
  ]);
  expect(await spentBefore(ads.sql, campaign.id, TODAY)).toBe(past);
  const { total, days } = await spendByDay(ads.sql, campaign.id, 3);
  expect(total).toBe(past + 1000n);
  expect(days.map(({ nanos }) => nanos)).toEqual([7n, 7n, 1000n]);
  expect(days.at(-1)?.day).toBe(TODAY);
  expect(await spendByDay(ads.sql, "cmp_none", 3)).toEqual({ total: 0n, days: [] });
});

it("totals follow every change of a day, and concurrent writers of many campaigns do not deadlock", async () => {
  const ids = Array.from({ length: 6 }, (_, i) => `cmp_shared_${i}`);
  const write = async (writer: number) => {
    for (let round = 0; round < 40; round++) {
      // For every campaign, each writer updates one existing day and inserts one new day.
      const days = ids.map((_, i) => ((i + writer + round) % 2 === 0 ? writer * 1000 + round : 0));
      await ads.sql.query(
        `INSERT INTO campaign_spend AS s (campaign_id, day, nanos)
         SELECT id, '2020-01-01'::date + n, 3 FROM unnest($1::text[], $2::int[]) AS a(id, n) ORDER BY 1, 2
         ON CONFLICT (campaign_id, day) DO UPDATE SET nanos = s.nanos + excluded.nanos`,
        [ids, days],
      );
    }
  };
  await Promise.all([1, 2, 3, 4].map(write));
  await ads.sql.query("UPDATE campaign_spend SET nanos = nanos - 1 WHERE campaign_id = $1", [ids[0]]);
  await ads.sql.query("DELETE FROM campaign_spend WHERE campaign_id = $1 AND day = '2020-01-01'", [ids[1]]);
  const { rows } = await ads.sql.query(
    `SELECT campaign_id FROM (SELECT campaign_id, sum(nanos) AS nanos FROM campaign_spend GROUP BY 1) s
     FULL JOIN campaign_totals t USING (campaign_id) WHERE s.nanos IS DISTINCT FROM t.nanos`,
  );
  expect(rows).toEqual([]);
});
