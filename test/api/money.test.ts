import { describe, expect, it } from "vitest";
import { explainOffers } from "../../server/ads/explain/explain-offers";
import { getReport } from "../../server/ads/reports/get-report";
import { ManualClock } from "../../server/kernel/clock";
import { newId } from "../../server/kernel/ids";
import { call, makeCampaign, makeCreative } from "../factories/ads";
import type { AdsCtx } from "../factories/ads-ctx";
import { makeShop, makeTenant, served, testApp } from "../factories/app";
import { arrived, caughtUp, click, eventsOf, oneOffer, reportIds } from "../factories/calls";
import { openForFile } from "../factories/open-for-file";

const DEMO_TENANT = newId("ten", Date.now());
// Noon: no case crosses into another day.
const clock = new ManualClock(new Date(`${new Date().toISOString().slice(0, 10)}T12:00:00Z`));
const test = await openForFile(testApp({ clock, demoTenantId: DEMO_TENANT, env: { SVC_PUBLISHER_SHARE: "0.7" } }));
const shop = await makeShop(test);

/** A buyer whose network campaign is offered for a word of its own. */
async function makeBuyer(word: string, campaign: Record<string, unknown>, tenant = {}) {
  const ctx = await makeTenant(test, tenant);
  const made = await makeCampaign(ctx, { mode: "live", reach: "network", ...campaign });
  await makeCreative(ctx, made.id, { title: `${word} lamp`, content: "A lamp" });
  await served(test, shop.serverKey);
  return { ctx, campaign: made, word };
}

const offerFor = (query: string, key = shop.serverKey) => oneOffer(test, key, { query });
const moneyOf = (row: Record<string, unknown> | undefined) => [Number(row?.charge_nanos), Number(row?.earning_nanos)];

async function spentNanos(campaignId: string): Promise<bigint> {
  const { rows } = await test.engines.sql.query<{ day: string; nanos: bigint }>(
    "SELECT day::text, nanos FROM campaign_spend WHERE campaign_id = $1",
    [campaignId],
  );
  expect(rows.length).toBeLessThanOrEqual(1);
  for (const { day } of rows) expect(day).toBe(clock.now().toISOString().slice(0, 10));
  return rows[0]?.nanos ?? 0n;
}

/** The live report of a tenant, by campaign. */
async function reportOf(ctx: AdsCtx) {
  await caughtUp(test);
  clock.advance(1);
  const report = await call(ctx, getReport, { mode: "live", group_by: "campaign,channel" });
  return report.rows.filter(({ campaign }) => campaign !== null);
}

describe("a cpc campaign of another tenant", () => {
  it("is charged its bid for the first click alone, of which the publisher earns its share", async () => {
    const buyer = await makeBuyer("crimson", { model: "cpc", bid_micros: 123_457 });
    const { id } = await offerFor("crimson lamp");
    for (let i = 0; i < 2; i++) await reportIds(test, [id]);
    for (let i = 0; i < 2; i++) await click(test, id);
    const clicks = await arrived(test, "clicks", { ids: [id], count: 2 });
    const impressions = await arrived(test, "impressions", { ids: [id], count: 2 });
    expect(moneyOf(clicks.find(({ traffic }) => traffic === ""))).toEqual([123_457_000, 86_419_900]);
    expect(moneyOf(clicks.find(({ traffic }) => traffic === "duplicate"))).toEqual([0, 0]);
    for (const impression of impressions) expect(moneyOf(impression)).toEqual([0, 0]);
    expect(await spentNanos(buyer.campaign.id)).toBe(123_457_000n);
    expect(await reportOf(buyer.ctx)).toEqual([
      expect.objectContaining({
        campaign: buyer.campaign.id,
        channel: "network",
        served: 1,
        impressions: 1,
        invalid_impressions: 1,
        clicks: 1,
        invalid_clicks: 1,
        spend_micros: 123_457,
        earnings_micros: 0,
      }),
    ]);
    expect(await reportOf(shop.ctx)).toContainEqual(
      expect.objectContaining({
        campaign: "network",
        channel: shop.channel.id,
        served: 1,
        clicks: 1,
        spend_micros: 0,
        earnings_micros: 86_420,
      }),
    );
  });
});

describe("a cpm campaign", () => {
  it("is charged a thousandth of its bid for the first impression alone, and nothing for clicks", async () => {
    const buyer = await makeBuyer("azure", { model: "cpm", bid_micros: 2_345_678 });
    const { id } = await offerFor("azure lamp");
    await click(test, id);
    await Promise.all([reportIds(test, [id]), reportIds(test, [id])]);
    const impressions = await arrived(test, "impressions", { ids: [id], count: 2 });
    expect(moneyOf(impressions.find(({ traffic }) => traffic === ""))).toEqual([2_345_678, 1_641_974]);
    expect(moneyOf((await arrived(test, "clicks", { ids: [id], count: 1 }))[0])).toEqual([0, 0]);
    expect(await spentNanos(buyer.campaign.id)).toBe(2_345_678n);
    expect(await reportOf(buyer.ctx)).toEqual([expect.objectContaining({ spend_micros: 2346, clicks: 1 })]);
  });

  it("is rounded once, at the total: a thousand impressions cost what was bid", async () => {
    const buyer = await makeBuyer("violet", { model: "cpm", bid_micros: 1499 });
    const ids = await Promise.all(Array.from({ length: 250 }, async () => (await offerFor("violet lamp")).id));
    await reportIds(test, ids);
    expect(await spentNanos(buyer.campaign.id)).toBe(250n * 1499n);
    expect(await reportOf(buyer.ctx)).toEqual([expect.objectContaining({ impressions: 250, spend_micros: 375 })]);
  });
});

describe("a tenant's own campaign on its own channel", () => {
  it("is charged and earns nothing", async () => {
    const own = await makeShop(test, { campaign: { model: "cpc", bid_micros: 500_000 } });
    const { id } = await oneOffer(test, own.serverKey);
    await click(test, id);
    expect(moneyOf((await arrived(test, "clicks", { ids: [id], count: 1 }))[0])).toEqual([500_000_000, 0]);
    expect(await spentNanos(own.campaign.id)).toBe(500_000_000n);
    expect(await reportOf(own.ctx)).toEqual([
      expect.objectContaining({ channel: own.channel.id, spend_micros: 500_000, earnings_micros: 0 }),
    ]);
  });
});

describe("a house offer", () => {
  it("is free, earns nothing, and is labelled in the publisher's report", async () => {
    const demo = await makeBuyer("demonstration", { bid_micros: 900_000 }, { isDemo: true, tenantId: DEMO_TENANT });
    const { id } = await offerFor("demonstration lamp");
    await reportIds(test, [id]);
    await click(test, id);
    const [offer] = await arrived(test, "offers", { ids: [id], count: 1 });
    expect(offer).toMatchObject({ house: 1, buyer_tenant_id: DEMO_TENANT });
    expect(Number(offer?.price_nanos)).toBe(0);
    expect(await arrived(test, "clicks", { ids: [id], count: 1 })).toMatchObject([{ house: 1, traffic: "" }]);
    expect(moneyOf((await eventsOf(test, "clicks", [id]))[0])).toEqual([0, 0]);
    expect(await spentNanos(demo.campaign.id)).toBe(0n);
    const explained = await call(shop.ctx, explainOffers, { channel_id: shop.channel.id, query: "demonstration lamp" });
    expect(explained.fates[0]).toMatchObject({ outcome: "offered", owner: "house", campaign_id: null });
    expect(await reportOf(shop.ctx)).toContainEqual(
      expect.objectContaining({ campaign: "house", served: 1, clicks: 1, spend_micros: 0, earnings_micros: 0 }),
    );
  });
});

describe("test mode", () => {
  it("costs and earns nothing", async () => {
    const sandbox = await makeShop(test, { mode: "test", campaign: { model: "cpc", bid_micros: 500_000 } });
    const { id } = await oneOffer(test, sandbox.serverKey);
    await reportIds(test, [id]);
    await click(test, id);
    expect(await arrived(test, "clicks", { ids: [id], count: 1 })).toMatchObject([{ mode: "test", traffic: "" }]);
    expect(moneyOf((await eventsOf(test, "clicks", [id]))[0])).toEqual([0, 0]);
    expect(await spentNanos(sandbox.campaign.id)).toBe(0n);
    expect(await reportOf(sandbox.ctx)).toEqual([]);
  });
});

describe("a campaign whose budget is used up", () => {
  it("goes on redirecting under click ids, at no cost, and its report says what the ledger says", async () => {
    const buyer = await makeBuyer("emerald", { model: "cpc", bid_micros: 100_000, total_budget_micros: 350_000 });
    const ids = await Promise.all(Array.from({ length: 5 }, async () => (await offerFor("emerald lamp")).id));
    const answers = await Promise.all(ids.map((id) => click(test, id)));
    for (const { headers } of answers) expect(headers.get("location")).toMatch(/svc_click_id=[0-9a-f]{32}$/);
    const rows = await arrived(test, "clicks", { ids, count: 5 });
    const over = rows.filter(({ traffic }) => traffic === "over_budget");
    expect(over.map(moneyOf)).toEqual([
      [0, 0],
      [0, 0],
    ]);
    expect(rows.filter(({ traffic }) => traffic === "").map(moneyOf)).toEqual(Array(3).fill([100_000_000, 70_000_000]));
    expect(await spentNanos(buyer.campaign.id)).toBe(300_000_000n);
    expect(await reportOf(buyer.ctx)).toEqual([
      expect.objectContaining({ clicks: 3, invalid_clicks: 2, spend_micros: 300_000 }),
    ]);
  });
});

describe("an uncounted event", () => {
  it("costs nothing: a click after two hours", async () => {
    const late = await makeShop(test, { campaign: { model: "cpc", bid_micros: 500_000 } });
    const { id } = await oneOffer(test, late.serverKey);
    clock.advance(2 * 60 * 60 * 1000 + 1);
    await click(test, id);
    const rows = await arrived(test, "clicks", { ids: [id], count: 1 });
    expect([rows[0]?.traffic, ...moneyOf(rows[0])]).toEqual(["expired", 0, 0]);
    expect(await spentNanos(late.campaign.id)).toBe(0n);
  });
});
