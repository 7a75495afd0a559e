import { describe, expect, it } from "vitest";
import { getReport } from "../../server/ads/reports/get-report";
import { ManualClock } from "../../server/kernel/clock";
import { call, makeCampaign, makeCreative } from "../factories/ads";
import type { AdsCtx } from "../factories/ads-ctx";
import { eventually, makeShop, makeTenant, served, testApp } from "../factories/app";
import { caughtUp, click, LOOKS_FOR_MS, offersFor, reportIds, type Served, send } from "../factories/calls";
import { openForFile } from "../factories/open-for-file";

const REQUESTS = 1000;
/** Noon of today: offers are stored by day, and only days around today have a place. */
const clock = new ManualClock(new Date(`${new Date().toISOString().slice(0, 10)}T12:00:00Z`));
const test = await openForFile(testApp({ clock, env: { SVC_PUBLISHER_SHARE: "0.7" } }));
const shop = await makeShop(test);

async function makeBuyer(word: string, campaign: Record<string, unknown>) {
  const ctx = await makeTenant(test);
  const made = await makeCampaign(ctx, { mode: "live", reach: "network", timezone: "UTC", ...campaign });
  await makeCreative(ctx, made.id, { title: `${word} lamp`, content: "A lamp" });
  await served(test, shop.serverKey);
  // Not "lamp": then the lamps of the others would be offered while this one is held back.
  return { ctx, campaign: made, query: word };
}

/** From 50 clients while the clock stands still: what is expected of the first offer has not faded when the last is asked for. */
async function idsAtOnce(query: string, count: number): Promise<string[]> {
  const asking = Array.from({ length: 50 }, async () => {
    const ids: string[] = [];
    for (let asked = 0; asked < count / 50; asked++) {
      const answer = await send(test, "/api/v1/offers", { key: shop.serverKey, body: { query } });
      ids.push(...((await answer.json()) as Served).offers.map(({ id }) => id));
    }
    return ids;
  });
  const ids = (await Promise.all(asking)).flat();
  clock.advance(LOOKS_FOR_MS);
  return ids;
}

const idsFor = async (query: string) => (await offersFor(test, shop.serverKey, { query })).offers.map(({ id }) => id);

/** By the ledger: how many events, what they cost, what they earned; and the total that budgets go by. */
async function ledgerOf(campaignId: string) {
  const { rows } = await test.engines.sql.query<{ events: number; charge: bigint; earning: bigint; spend: bigint }>(
    `SELECT count(*)::int AS events, coalesce(sum(charge_nanos), 0)::bigint AS charge,
       coalesce(sum(earning_nanos), 0)::bigint AS earning,
       (SELECT coalesce(max(nanos), 0)::bigint FROM campaign_totals WHERE campaign_id = $1) AS spend
     FROM ledger WHERE campaign_id = $1`,
    [campaignId],
  );
  return rows[0];
}

async function totalsOf(ctx: AdsCtx) {
  await caughtUp(test);
  clock.advance(1);
  return (await call(ctx, getReport, { mode: "live" })).totals;
}

describe("under a thousand requests and clicks at once", () => {
  it("a cpc budget is spent to the last click that fits and not a nano further", async () => {
    const buyer = await makeBuyer("amber", { model: "cpc", bid_micros: 100_007, daily_budget_micros: 2_000_000 });
    const clicks = await Promise.all(
      Array.from({ length: REQUESTS }, async () => {
        const [id] = await idsFor(buyer.query);
        return id ? (await click(test, id)).status : undefined;
      }),
    );
    expect(clicks.filter((status) => status === 302).length).toBeGreaterThan(19);
    const charge = 19n * 100_007_000n;
    expect(await ledgerOf(buyer.campaign.id)).toEqual({
      events: 19,
      charge,
      earning: 19n * 70_004_900n,
      spend: charge,
    });
    expect(await totalsOf(buyer.ctx)).toMatchObject({ clicks: 19, spend_micros: Number(charge / 1000n) });
  });

  it("a cpm budget is not served past what its offers are expected to cost", async () => {
    const buyer = await makeBuyer("bronze", { model: "cpm", bid_micros: 1_000_000, total_budget_micros: 1_000_000 });
    const ids = await idsAtOnce(buyer.query, 2500);
    // Every one of them is seen, twice as many as predicted; without a forecast all 2,500 had been served.
    expect(ids.length).toBeGreaterThanOrEqual(1000);
    expect(ids.length).toBeLessThan(2000);
    await Promise.all(Array.from({ length: 8 }, (_, i) => reportIds(test, ids.slice(i * 250, i * 250 + 250))));
    const charge = 1000n * 1_000_000n;
    expect(await ledgerOf(buyer.campaign.id)).toEqual({ events: 1000, charge, earning: 700_000_000n, spend: charge });
    expect(await totalsOf(buyer.ctx)).toMatchObject({
      impressions: 1000,
      invalid_impressions: ids.length - 1000,
      spend_micros: 1_000_000,
    });
  });
});

describe("an even pace", () => {
  it("holds back from a busy moment what an asap campaign spends there", async () => {
    const terms = { model: "cpm", bid_micros: 1_000_000, daily_budget_micros: 1_000_000 };
    const even = await makeBuyer("fuchsia", { ...terms, pacing: "even" });
    const asap = await makeBuyer("golden", { ...terms, pacing: "asap" });
    // On a slow machine the even campaign is held back before the moment is over.
    expect((await idsAtOnce(even.query, 300)).length).toBeGreaterThan(50);
    expect(await idsAtOnce(asap.query, 300)).toHaveLength(300);
    await eventually(async () => {
      clock.advance(1000);
      return (await idsAtOnce(even.query, 50)).length < 10;
    });
    expect(await idsAtOnce(asap.query, 50)).toHaveLength(50);
  });
});

describe("the ledger", () => {
  it("has every charged event once, and its totals are those of both sides' reports", async () => {
    const earnedBefore = (await totalsOf(shop.ctx)).earnings_micros;
    const views = await makeBuyer("copper", { model: "cpm", bid_micros: 1_234_567 });
    const clicks = await makeBuyer("denim", { model: "cpc", bid_micros: 333_333 });
    for (const { query } of [views, clicks]) {
      const ids = (await Promise.all(Array.from({ length: 40 }, () => idsFor(query)))).flat();
      await Promise.all([reportIds(test, ids), reportIds(test, ids), ...ids.slice(0, 7).map((id) => click(test, id))]);
      await Promise.all(ids.slice(0, 7).map((id) => click(test, id)));
    }
    const [seen, clicked] = [await ledgerOf(views.campaign.id), await ledgerOf(clicks.campaign.id)];
    expect([seen?.events, clicked?.events]).toEqual([40, 7]);
    for (const { ctx, campaign } of [views, clicks]) {
      const ledger = await ledgerOf(campaign.id);
      expect(ledger?.spend).toBe(ledger?.charge);
      expect((await totalsOf(ctx)).spend_micros).toBe(Math.round(Number(ledger?.charge) / 1000));
    }
    const earned = Number((seen?.earning ?? 0n) + (clicked?.earning ?? 0n));
    expect((await totalsOf(shop.ctx)).earnings_micros - earnedBefore).toBeCloseTo(earned / 1000, -0.5);
  });

  it("refuses a second charge of the same event and lets the spend be", async () => {
    const buyer = await makeBuyer("ebony", { model: "cpc", bid_micros: 100_000, total_budget_micros: 1_000_000 });
    const [id] = await idsFor(buyer.query);
    if (!id) throw new Error("no offer was served");
    await click(test, id);
    // As if the mark on the offer were lost.
    await test.engines.sql.query("UPDATE offers SET clicked_at = NULL, click_id = NULL WHERE id = $1", [id]);
    await Promise.all([click(test, id), click(test, id)]);
    expect(await ledgerOf(buyer.campaign.id)).toMatchObject({ events: 1, charge: 100_000_000n, spend: 100_000_000n });
  });
});
