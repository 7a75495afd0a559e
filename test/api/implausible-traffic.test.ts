import { describe, expect, it } from "vitest";
import {
  CLICKS_OF_NETWORK,
  IMPRESSIONS_BASE,
  IMPRESSIONS_OF_NETWORK,
  IMPRESSIONS_PER_NETWORK,
} from "../../server/ads/limits";
import { getReport } from "../../server/ads/reports/get-report";
import { ManualClock } from "../../server/kernel/clock";
import { ServiceError } from "../../server/kernel/errors";
import { call, makeCampaign, makeCreative } from "../factories/ads";
import { makeShop, makeTenant, served, testApp } from "../factories/app";
import { arrived, caughtUp, click, offersFor, oneOffer, reportIds } from "../factories/calls";
import { openForFile } from "../factories/open-for-file";

const BID_MICROS = 100_000_000;
// A quarter of an hour after midnight: no case crosses into another day.
const clock = new ManualClock(new Date(`${new Date().toISOString().slice(0, 10)}T00:15:00Z`));
const test = await openForFile(testApp({ clock }));
const buyer = await makeTenant(test);
for (const [model, title] of [
  ["cpm", "Garden hose"],
  ["cpc", "Bicycle pump"],
]) {
  const campaign = await makeCampaign(buyer, { mode: "live", reach: "network", model, bid_micros: BID_MICROS });
  await makeCreative(buyer, campaign.id, { title, content: title });
}

/** A publisher of its own, on whose channel the buyer's campaigns serve. */
async function publisher() {
  const shop = await makeShop(test);
  await served(test, shop.serverKey);
  return shop;
}

type Publisher = Awaited<ReturnType<typeof publisher>>;

const offersOf = async ({ serverKey }: Publisher, count: number, query = "garden hose"): Promise<string[]> => {
  const ids: string[] = [];
  while (ids.length < count) {
    ids.push((await oneOffer(test, serverKey, { query, user_id: `user-${ids.length % 100}` })).id);
    // The clock stands still but for what people need to look.
    clock.advance(-600);
  }
  clock.advance(600);
  return ids;
};

const trafficOf = async (table: "impressions" | "clicks", ids: readonly string[]) => {
  const rows = await arrived(test, table, { ids, count: ids.length });
  const count = (traffic: string) => rows.filter((row) => row.traffic === traffic).length;
  const chargedNanos = rows.reduce((sum, { charge_nanos }) => sum + Number(charge_nanos), 0);
  return { count, chargedNanos };
};

/** An address in a network of its own. */
const far = (n: number) => `203.${n >> 8}.${n & 255}.7`;

describe("impressions that a publisher's server reports", () => {
  it("are billed to the base allowance, however fast one server key reports them, also on loopback", async () => {
    const shop = await publisher();
    const ids = await offersOf(shop, 700);
    for (let at = 0; at < ids.length; at += 50) {
      expect((await reportIds(test, ids.slice(at, at + 50), { key: shop.serverKey })).status).toBe(204);
    }
    const { count, chargedNanos } = await trafficOf("impressions", ids);
    expect(count("")).toBe(IMPRESSIONS_BASE.minute);
    expect(count("implausible_rate")).toBe(ids.length - IMPRESSIONS_BASE.minute);
    expect(chargedNanos).toBeLessThanOrEqual(IMPRESSIONS_BASE.minute * BID_MICROS);
    await caughtUp(test);
    clock.advance(1);
    const report = await call(shop.ctx, getReport, { mode: "live", group_by: "traffic" });
    expect(report.rows.find(({ traffic }) => traffic === "implausible_rate")).toMatchObject({
      invalid_impressions: ids.length - IMPRESSIONS_BASE.minute,
      impressions: 0,
      earnings_micros: 0,
    });
    const { rows } = await test.engines.sql.query<{ n: number }>(
      "SELECT count(*)::int AS n FROM ledger WHERE publisher_tenant_id = $1",
      [shop.tenantId],
    );
    expect(rows).toEqual([{ n: IMPRESSIONS_BASE.minute }]);
  });

  it("are billed beyond it when people of other networks click on the channel, and later for what was refused", async () => {
    const shop = await publisher();
    const ids = await offersOf(shop, 200);
    const sent = { key: shop.serverKey };
    await reportIds(test, ids, sent);
    const [clicked] = await offersOf(shop, 1);
    expect((await click(test, clicked ?? "", { address: far(1) })).headers.get("location")).toContain("svc_click_id=");
    expect(IMPRESSIONS_PER_NETWORK.minute).toBeGreaterThanOrEqual(200);
    clock.advance(60_000);
    await reportIds(test, ids, sent);
    const rows = await arrived(test, "impressions", { ids, count: 400 });
    expect(new Set(rows.filter(({ traffic }) => traffic === "").map(({ offer_id }) => offer_id)).size).toBe(200);
  });

  it("are billed to the base allowance while the counters are away, and offers serve on", async () => {
    const shop = await publisher();
    const ids = await offersOf(shop, 100);
    const { counters } = test.engines;
    const { count } = counters;
    counters.count = () => Promise.reject(new ServiceError("unavailable", "Redis is away."));
    const { status } = await reportIds(test, ids, { key: shop.serverKey });
    const { offers } = await offersFor(test, shop.serverKey, { query: "garden hose" });
    counters.count = count;
    expect([status, offers.length]).toEqual([204, 1]);
    expect((await trafficOf("impressions", ids)).count("")).toBe(IMPRESSIONS_BASE.minute);
  });
});

describe("events of one network", () => {
  it("are billed as impressions of browsers to the network's allowance", async () => {
    const shop = await publisher();
    const ids = await offersOf(shop, IMPRESSIONS_OF_NETWORK.base + 100);
    // Addresses of one /24.
    for (let at = 0; at < ids.length; at += 200) {
      await reportIds(test, ids.slice(at, at + 200), { address: `198.51.100.${1 + at / 200}` });
    }
    const { count } = await trafficOf("impressions", ids);
    expect(count("")).toBeLessThanOrEqual(IMPRESSIONS_OF_NETWORK.base + IMPRESSIONS_OF_NETWORK.perNetwork);
    expect(count("implausible_spread")).toBe(ids.length - count(""));
  });

  it("are billed as clicks to the network's allowance, and everybody is redirected", async () => {
    const shop = await publisher();
    const ids = await offersOf(shop, CLICKS_OF_NETWORK.base + 10, "bicycle pump");
    for (const [n, id] of ids.entries()) expect((await click(test, id, { address: `192.0.2.${n}` })).status).toBe(302);
    const { count, chargedNanos } = await trafficOf("clicks", ids);
    expect(count("")).toBe(CLICKS_OF_NETWORK.base);
    expect(count("implausible_spread")).toBe(10);
    expect(chargedNanos).toBeLessThanOrEqual(CLICKS_OF_NETWORK.base * BID_MICROS * 1000);
  });
});

it("does not bill clicks at a rate that no placement reaches, although each comes from a network of its own", async () => {
  const shop = await publisher();
  const ids = await offersOf(shop, 60, "bicycle pump");
  await reportIds(test, ids.slice(0, 30), { key: shop.serverKey });
  for (const [n, id] of ids.entries()) expect((await click(test, id, { address: far(n) })).status).toBe(302);
  const { count } = await trafficOf("clicks", ids);
  expect(count("") + count("implausible_click_rate")).toBe(ids.length);
  expect(count("")).toBeLessThanOrEqual(25);
});
