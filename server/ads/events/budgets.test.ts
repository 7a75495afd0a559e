import { randomBytes } from "node:crypto";
import { describe, expect, it } from "vitest";
import { adsTest, call, makeCampaign } from "../../../test/factories/ads";
import { offerRecord } from "../../../test/factories/offer-record";
import { openForFile } from "../../../test/factories/open-for-file";
import { connectPostgres } from "../../engines/postgres/connect-postgres";
import { nanosPerEvent } from "../../kernel/money";
import { updateCampaign } from "../campaigns/update-campaign";
import type { OfferRecord } from "../offer-records/offer-record";
import { insertOffers } from "../offer-records/offers.sql";
import { Claims } from "./claims";
import { chargeOf, eventRow } from "./event-rows";
import { claimOf } from "./replay-click";

const NOW = Date.now();
const ads = await openForFile(adsTest());
const buyer = await ads.tenant();
await buyer.credit(1_000_000_000_000n);
const ctx = buyer.key("live");
const elsewhere = await openForFile(connectPostgres(ads.url, { poolMax: 4 }));
/** Two processes, from the point of view of Postgres. */
const processes: [Claims, Claims] = [new Claims(ads.sql), new Claims(elsewhere.sql)];

interface Priced {
  id: string;
  model: "cpc" | "cpm";
  bid_micros: number;
}

/** Served offers of a campaign, by default on another tenant's channel. */
async function offersOf(
  campaign: Priced,
  count: number,
  { buyerTenantId = ctx.actor.tenantId, tenantId = "ten_publisher" } = {},
): Promise<OfferRecord[]> {
  const priceNanos = Number(nanosPerEvent(campaign.model, BigInt(campaign.bid_micros)));
  const { id: campaignId, model } = campaign;
  const records = Array.from({ length: count }, () =>
    offerRecord(NOW, { tenantId, buyerTenantId, campaignId, model, priceNanos }),
  );
  await insertOffers(ads.sql, records);
  return records;
}

const clickOf = (record: OfferRecord, at = NOW) =>
  claimOf(record, { clickId: randomBytes(16).toString("hex"), at, publisherShare: 0.7 });

const clickAll = (records: readonly OfferRecord[], at = NOW) =>
  Promise.all(records.map((record, i) => processes[i % 2 === 0 ? 0 : 1].claim("clicks", clickOf(record, at))));

async function ledgerOf(campaignId: string) {
  const { rows } = await ads.sql.query<{ day: string; nanos: bigint }>(
    "SELECT day::text, nanos FROM campaign_spend WHERE campaign_id = $1 ORDER BY day",
    [campaignId],
  );
  return Object.fromEntries(rows.map(({ day, nanos }) => [day, nanos]));
}

/** What ClickHouse will receive about a campaign's events, by their traffic reason. */
async function rowsOf(campaignId: string) {
  const { rows } = await ads.sql.query<{ traffic: string; count: number; charge: string; earning: string }>(
    `SELECT row->>'traffic' AS traffic, count(*)::int, sum((row->>'charge_nanos')::bigint)::text AS charge,
       sum((row->>'earning_nanos')::bigint)::text AS earning
     FROM outbox WHERE row->>'campaign_id' = $1 GROUP BY 1 ORDER BY 1`,
    [campaignId],
  );
  return rows;
}

describe("a total budget", () => {
  it("is never exceeded by 1,000 clicks at once in two processes, and is used up to the last click that fits", async () => {
    const campaign = await makeCampaign(ctx, { bid_micros: 10_007, total_budget_micros: 4_000_000 });
    const records = await offersOf(campaign, 1000);
    expect(new Set(await clickAll(records))).toEqual(new Set([true]));
    const billed = Math.floor(4_000_000 / 10_007);
    const nanos = billed * 10_007_000;
    expect(Object.values(await ledgerOf(campaign.id))).toEqual([BigInt(nanos)]);
    expect(await rowsOf(campaign.id)).toEqual([
      { traffic: "", count: billed, charge: `${nanos}`, earning: `${billed * 7_004_900}` },
      { traffic: "over_budget", count: 1000 - billed, charge: "0", earning: "0" },
    ]);
    const { rows } = await ads.sql.query("SELECT FROM offers WHERE campaign_id = $1 AND click_id IS NULL", [
      campaign.id,
    ]);
    expect(rows).toHaveLength(0);
  });

  it("counts a repeated click once, in one process or two", async () => {
    const campaign = await makeCampaign(ctx, { bid_micros: 10_000, total_budget_micros: 1_000_000 });
    const records = await offersOf(campaign, 20);
    const won = await clickAll([...records, ...records, ...records.toReversed()]);
    expect(won.filter(Boolean)).toHaveLength(20);
    expect(await clickAll(records)).not.toContain(true);
    expect(Object.values(await ledgerOf(campaign.id))).toEqual([200_000_000n]);
  });

  it("applies as soon as it is set, also in processes that loaded the campaign without one", async () => {
    const campaign = await makeCampaign(ctx, { bid_micros: 10_000 });
    const records = await offersOf(campaign, 12);
    await clickAll(records.slice(0, 2));
    await call(ctx, updateCampaign, { id: campaign.id, total_budget_micros: 50_000 });
    expect(new Set(await clickAll(records.slice(2)))).toEqual(new Set([true]));
    expect(Object.values(await ledgerOf(campaign.id))).toEqual([50_000_000n]);
  });

  it("limits the impressions of a cpm campaign to the nano", async () => {
    const campaign = await makeCampaign(ctx, { model: "cpm", bid_micros: 333, total_budget_micros: 333 });
    await ads.sql.query("INSERT INTO campaign_spend VALUES ($1, '2020-01-01', 332000)", [campaign.id]);
    const records = await offersOf(campaign, 5);
    const seen = records.map((record) => {
      const charge = chargeOf(record, "impression", 0.7);
      const row = { ...eventRow(record, NOW, charge), reported_by: "browser", traffic: "" };
      const { campaignId, id: offerId } = record;
      const claim = {
        offerId,
        at: NOW,
        clickId: null,
        campaignId,
        chargeNanos: charge.chargeNanos,
        payerId: null,
        row,
      };
      return processes[0].claim("impressions", claim);
    });
    expect(await Promise.all(seen)).toEqual([true, true, true, true, true]);
    expect(Object.values(await ledgerOf(campaign.id))).toEqual([332_000n, 999n]);
    expect((await rowsOf(campaign.id)).map(({ traffic, count }) => [traffic, count])).toEqual([
      ["", 3],
      ["over_budget", 2],
    ]);
  });
});

describe("a prepaid balance", () => {
  const balanceOf = async (tenantId: string) => {
    const { creditedNanos, spentNanos } = await ads.db.tenantBalance.findUniqueOrThrow({ where: { tenantId } });
    return { creditedNanos, spentNanos };
  };

  it("is never exceeded by 1,000 clicks of two campaigns at once in two processes, and is used up to the last that fits", async () => {
    const poor = await ads.tenant();
    await poor.credit(4_000_000_000n);
    const campaigns = [
      await makeCampaign(poor.key("live"), { bid_micros: 10_007, total_budget_micros: 3_000_000 }),
      await makeCampaign(poor.key("live"), { bid_micros: 10_007 }),
    ];
    const records = (
      await Promise.all(campaigns.map((campaign) => offersOf(campaign, 500, { buyerTenantId: poor.id })))
    ).flat();
    expect(new Set(await clickAll(records))).toEqual(new Set([true]));
    const billed = Math.floor(4_000_000 / 10_007);
    expect(await balanceOf(poor.id)).toEqual({
      creditedNanos: 4_000_000_000n,
      spentNanos: BigInt(billed * 10_007_000),
    });
    const spent = (await Promise.all(campaigns.map(({ id }) => ledgerOf(id)))).flatMap((days) => Object.values(days));
    expect(spent.reduce((sum, nanos) => sum + nanos, 0n)).toBe(BigInt(billed * 10_007_000));
    const rows = (await Promise.all(campaigns.map(({ id }) => rowsOf(id)))).flat();
    expect(rows.filter(({ traffic }) => traffic === "").reduce((sum, { count }) => sum + count, 0)).toBe(billed);
    expect(rows.find(({ traffic }) => traffic === "no_balance")).toMatchObject({ charge: "0", earning: "0" });
  });

  it("pays again once it is credited, and pays nothing twice", async () => {
    const poor = await ads.tenant();
    const campaign = await makeCampaign(poor.key("live"), { bid_micros: 10_000 });
    const records = await offersOf(campaign, 4, { buyerTenantId: poor.id });
    await clickAll(records.slice(0, 2));
    expect(await ledgerOf(campaign.id)).toEqual({});
    await poor.credit(1_000_000_000n);
    await clickAll(records);
    expect(await balanceOf(poor.id)).toEqual({ creditedNanos: 1_000_000_000n, spentNanos: 20_000_000n });
  });

  it("is not touched by clicks on the tenant's own channels", async () => {
    const own = await ads.tenant();
    await own.credit(5_000_000n);
    const campaign = await makeCampaign(own.key("live"), { bid_micros: 10_000 });
    await clickAll(await offersOf(campaign, 3, { buyerTenantId: own.id, tenantId: own.id }));
    expect(Object.values(await ledgerOf(campaign.id))).toEqual([30_000_000n]);
    expect(await balanceOf(own.id)).toEqual({ creditedNanos: 5_000_000n, spentNanos: 0n });
  });
});

describe("a daily budget", () => {
  it("starts again at midnight in the campaign's time zone", async () => {
    const campaign = await makeCampaign(ctx, {
      bid_micros: 10_000,
      daily_budget_micros: 30_000,
      timezone: "Pacific/Auckland",
    });
    const records = await offersOf(campaign, 10);
    // In November Auckland is 13 hours ahead.
    await clickAll(records.slice(0, 5), Date.parse("2026-11-20T10:59:59.999Z"));
    await clickAll(records.slice(5), Date.parse("2026-11-20T11:00:00Z"));
    expect(await ledgerOf(campaign.id)).toEqual({ "2026-11-20": 30_000_000n, "2026-11-21": 30_000_000n });
  });

  it("and a total one apply together, whichever is used up first", async () => {
    const campaign = await makeCampaign(ctx, {
      bid_micros: 10_000,
      daily_budget_micros: 30_000,
      total_budget_micros: 50_000,
      timezone: "UTC",
    });
    const records = await offersOf(campaign, 12);
    for (const [day, from] of [1, 2, 3].entries()) {
      await clickAll(records.slice(day * 4, day * 4 + 4), Date.parse(`2026-11-0${from}T12:00:00Z`));
    }
    expect(await ledgerOf(campaign.id)).toEqual({ "2026-11-01": 30_000_000n, "2026-11-02": 20_000_000n });
  });
});

describe("a group", () => {
  it("bills campaigns with and without budgets together", async () => {
    const free = await makeCampaign(ctx, { bid_micros: 10_000 });
    const tight = await makeCampaign(ctx, { bid_micros: 10_000, total_budget_micros: 25_000 });
    const records = [...(await offersOf(free, 10)), ...(await offersOf(tight, 10))];
    await clickAll(records);
    expect(Object.values(await ledgerOf(free.id))).toEqual([100_000_000n]);
    expect(Object.values(await ledgerOf(tight.id))).toEqual([20_000_000n]);
  });

  it("is not blocked by a transaction that locks a campaign with a budget", async () => {
    const free = await makeCampaign(ctx, { bid_micros: 10_000 });
    const tight = await makeCampaign(ctx, { bid_micros: 10_000, total_budget_micros: 25_000 });
    const [[other], [held]] = [await offersOf(free, 1), await offersOf(tight, 1)];
    if (!other || !held) throw new Error("no offers");
    const holder = await ads.sql.connect();
    try {
      await holder.query("BEGIN");
      await holder.query("SELECT FROM campaigns WHERE id = $1 FOR UPDATE", [tight.id]);
      const waiting = processes[0].claim("clicks", clickOf(held));
      expect(await processes[0].claim("clicks", clickOf(other))).toBe(true);
      await holder.query("COMMIT");
      expect(await waiting).toBe(true);
    } finally {
      holder.release();
    }
  });

  it("bills every tenant even if Postgres does not know one campaign's time zone", async () => {
    const [odd, sound] = [
      await makeCampaign(ctx, { bid_micros: 10_000 }),
      await makeCampaign(ctx, { bid_micros: 10_000 }),
    ];
    await ads.sql.query("UPDATE campaigns SET timezone = 'Mars/Olympus' WHERE id = $1", [odd.id]);
    const records = [...(await offersOf(odd, 2)), ...(await offersOf(sound, 2))];
    expect(await clickAll(records)).toEqual([true, true, true, true]);
    for (const { id } of [odd, sound]) expect(Object.values(await ledgerOf(id))).toEqual([20_000_000n]);
  });
});
