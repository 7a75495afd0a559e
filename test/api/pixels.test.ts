import { describe, expect, it } from "vitest";
import { updateAdvertiser } from "../../server/ads/advertisers/update-advertiser";
import { attributeWaiting } from "../../server/ads/conversions/attribute-waiting";
import type { Conversion } from "../../server/ads/conversions/conversion";
import { getPixel } from "../../server/ads/conversions/get-pixel";
import { keepWaitingPixel } from "../../server/ads/conversions/waiting-pixels.sql";
import { DAY_MS, PIXEL_ORDERS_PER_CLICK_MAX, PIXELS_WAITING_MAX } from "../../server/ads/limits";
import { getReport } from "../../server/ads/reports/get-report";
import { ensurePartitions } from "../../server/engines/postgres/partitions";
import { ManualClock } from "../../server/kernel/clock";
import { call, makeAdvertiser, makeCampaign, makeCreative } from "../factories/ads";
import { makeShop, makeTenant, served, testApp } from "../factories/app";
import { caughtUp, click, manage, oneOffer, platformKey, raiseRate, send } from "../factories/calls";
import { openForFile } from "../factories/open-for-file";

const NO_CLICK = "0".repeat(32);
const clock = new ManualClock(new Date());

let orders = 0;
const newOrder = () => `order-${++orders}`;
const tokenOf = async (id: string) => (await call(shop.ctx, getPixel, { id, mode: "live" })).token;

const test = await openForFile(testApp({ clock }));
const shop = await makeShop(test);
const key = await platformKey(shop.ctx);
await raiseRate(test, shop.tenantId);
const token = await tokenOf(shop.campaign.advertiser_id);

async function pass(ms: number): Promise<void> {
  clock.advance(ms);
  await ensurePartitions(test.engines.sql, clock.now());
}

/** A person's click, and the id that the landing page gets. */
async function clicked(ask: Record<string, unknown> = {}): Promise<string> {
  const { id } = await oneOffer(test, shop.serverKey, ask);
  return new URL((await click(test, id)).headers.get("location") ?? "").searchParams.get("svc_click_id") ?? "";
}

/** What a page of the advertiser, or anybody, loads. */
async function pixel(fields: Record<string, string>): Promise<void> {
  const response = await send(test, `/api/v1/conversions/pixel.gif?${new URLSearchParams({ token, ...fields })}`);
  expect(response.status).toBe(200);
}

type Reported = Conversion & { duplicate: boolean };

async function report(body: Record<string, unknown>): Promise<Reported> {
  const headers = { authorization: `Bearer ${key}` };
  const response = await send(test, "/api/v1/conversions", { body, headers });
  expect(response.status).toBe(201);
  return (await response.json()) as Reported;
}

async function listed(order: string): Promise<Conversion[]> {
  const response = await manage(test, "/v1/ads/conversions?limit=100", { key });
  const { data } = (await response.json()) as { data: Conversion[] };
  return data.filter(({ order_id }) => order_id === order);
}

/** What reports say, beside the sums of ClickHouse's events. */
async function figures() {
  await caughtUp(test);
  const [from, to] = [-100, 1].map((days) => new Date(clock.now().getTime() + days * DAY_MS).toISOString());
  const { totals } = await call(shop.ctx, getReport, { mode: "live", from, to });
  const answer = await test.engines.clickhouse.query({
    query: `SELECT toFloat64(sum(sign)) AS conversions, toFloat64(sum(sign * value_micros)) AS conversion_value_micros,
      toFloat64(sumIf(sign, source = 'pixel')) AS unverified_conversions,
      toFloat64(sumIf(sign * value_micros, source = 'pixel')) AS unverified_conversion_value_micros
      FROM conversions WHERE buyer_tenant_id = {tenant:String}`,
    query_params: { tenant: shop.tenantId },
    format: "JSONEachRow",
  });
  const [raw] = await answer.json<Record<string, number>>();
  expect(totals).toMatchObject(raw ?? {});
  const { conversions: count, conversion_value_micros: value } = totals;
  return {
    count,
    value,
    unverified: totals.unverified_conversions,
    unverifiedValue: totals.unverified_conversion_value_micros,
  };
}

/** How the report's figures change by what `act` does. */
async function changeBy(act: () => Promise<unknown>) {
  const before = await figures();
  await act();
  const after = await figures();
  return {
    count: after.count - before.count,
    value: after.value - before.value,
    unverified: after.unverified - before.unverified,
    unverifiedValue: after.unverifiedValue - before.unverifiedValue,
  };
}

const NOTHING = { count: 0, value: 0, unverified: 0, unverifiedValue: 0 };
const verified = (value: number) => ({ count: 1, value, unverified: 0, unverifiedValue: 0 });
const unverified = (value: number) => ({ count: 1, value, unverified: 1, unverifiedValue: value });

describe("a pixel without a known click", () => {
  it.each([
    ["none", {}],
    ["an unknown one", { click_id: NO_CLICK }],
  ])("holds nothing: %s", async (_, fields) => {
    const order_id = newOrder();
    expect(await changeBy(() => pixel({ order_id, value_micros: "999999999999", ...fields }))).toEqual(NOTHING);
    expect(await listed(order_id)).toEqual([]);
    const click_id = await clicked();
    let answer: Reported | undefined;
    const change = await changeBy(async () => {
      answer = await report({ order_id, click_id, value_micros: 30 });
    });
    expect(answer).toMatchObject({ duplicate: false, source: "server", value_micros: 30, attribution: "click" });
    expect(change).toEqual(verified(30));
  });

  it("holds nothing with a click outside its campaign's window", async () => {
    const order_id = newOrder();
    const click_id = await clicked();
    await pass(31 * DAY_MS);
    await pixel({ order_id, click_id });
    expect(await listed(order_id)).toEqual([]);
  });

  it("waits in a bounded number of places, and counts when its click turns out to be one", async () => {
    const { sql } = test.engines;
    const wait = (order_id: string, click_id: string) => pixel({ order_id, click_id, value_micros: "7" });
    const click_id = await clicked();
    await sql.query("UPDATE offers SET click_id = NULL WHERE click_id = $1", [click_id]);
    const hex = (n: number) => n.toString(16).padStart(32, "0");
    await wait("junk", NO_CLICK);
    const { tenantId, campaign } = shop;
    const junk = { tenantId, advertiserId: campaign.advertiser_id, valueMicros: 1, occurredAt: clock.now() };
    for (let n = 0; n < 2 * PIXELS_WAITING_MAX; n++)
      await keepWaitingPixel(sql, { ...junk, mode: "live", orderId: `junk-${n}`, clickId: hex(n) });
    const order_id = newOrder();
    await wait(order_id, click_id);
    const { rows } = await sql.query<{ n: number }>("SELECT count(*)::int AS n FROM waiting_pixels");
    expect(rows[0]?.n).toBeLessThanOrEqual(PIXELS_WAITING_MAX);
    expect(await listed("junk")).toEqual([]);
    await sql.query("UPDATE offers SET click_id = $1 WHERE clicked_at IS NOT NULL AND click_id IS NULL", [click_id]);
    const look = () => attributeWaiting(sql, { now: clock.now(), currency: "USD" });
    expect(await changeBy(async () => expect(await look()).toBe(1))).toEqual(unverified(7));
    expect(await listed(order_id)).toMatchObject([{ source: "pixel", attribution: "click" }]);
    // Each look doubles the wait, and after a day there is none.
    for (let looks = 0; looks < 5; looks++) {
      await pass(DAY_MS / 4);
      expect(await look()).toBe(0);
    }
    expect((await sql.query("SELECT FROM waiting_pixels")).rowCount).toBe(0);
  });
});

describe("a pixel with a known click", () => {
  it("counts as unverified until a server reports the order, which replaces value, click, attribution and time", async () => {
    const order_id = newOrder();
    const [first, second] = [await clicked(), await clicked()];
    expect(await changeBy(() => pixel({ order_id, click_id: first, value_micros: "5000000" }))).toEqual(
      unverified(5_000_000),
    );
    const [unproven] = await listed(order_id);
    expect(unproven).toMatchObject({ source: "pixel", value_micros: 5_000_000, over_limit: false });
    clock.advance(60_000);
    const occurred_at = new Date(clock.now().getTime() - 30_000).toISOString();
    let answer: Reported | undefined;
    const server = () => report({ order_id, click_id: second, value_micros: 3_000_000, occurred_at });
    const change = await changeBy(async () => {
      answer = await server();
    });
    expect(answer).toMatchObject({ duplicate: false, source: "server", value_micros: 3_000_000, occurred_at });
    expect(change).toEqual({ count: 0, value: -2_000_000, unverified: -1, unverifiedValue: -5_000_000 });
    const { duplicate: _, ...kept } = answer ?? { duplicate: false };
    expect(await listed(order_id)).toEqual([kept]);
    const { rows } = await test.engines.sql.query("SELECT click_id FROM conversions WHERE order_id = $1", [order_id]);
    expect(rows).toEqual([{ click_id: second }]);
    expect(await server()).toEqual({ ...kept, duplicate: true });
    expect(await changeBy(() => pixel({ order_id, click_id: first, value_micros: "9" }))).toEqual(NOTHING);
    expect(await listed(order_id)).toEqual([kept]);
  });

  it("is taken back when the server's report explains the order by no click", async () => {
    const order_id = newOrder();
    const click_id = await clicked();
    const change = await changeBy(async () => {
      await pixel({ order_id, click_id, value_micros: "8" });
      expect(await report({ order_id })).toMatchObject({ duplicate: false, attribution: "none", reason: "no_touch" });
    });
    expect(change).toEqual(NOTHING);
  });

  it("leaves one authenticated order in every race of 50 pixels and servers", async () => {
    for (const fields of [{}, { advertiser_id: shop.campaign.advertiser_id }]) {
      const order_id = newOrder();
      const click_id = await clicked();
      const answers: Reported[] = [];
      const server = async () => answers.push(await report({ order_id, click_id, value_micros: 11, ...fields }));
      const page = () => pixel({ order_id, click_id, value_micros: "999000000" });
      const change = await changeBy(() =>
        Promise.all(Array.from({ length: 50 }, (_, i) => (i % 2 ? server() : page()))),
      );
      expect(change).toEqual(verified(11));
      expect(answers.filter(({ duplicate }) => !duplicate)).toHaveLength(1);
      expect(await listed(order_id)).toMatchObject([{ source: "server", value_micros: 11 }]);
    }
  });

  it("keeps the orders of two advertisers under one number apart", async () => {
    const other = await makeAdvertiser(shop.ctx, { mode: "live" });
    const campaign = await makeCampaign(shop.ctx, { mode: "live", advertiser_id: other.id });
    await makeCreative(shop.ctx, campaign.id, { title: "Garden hose", content: "A hose for every garden" });
    await served(test, shop.serverKey);
    const order_id = newOrder();
    const [boots, hose] = [await clicked(), await clicked({ query: "garden hose" })];
    const change = await changeBy(async () => {
      await pixel({ order_id, click_id: boots, value_micros: "1" });
      await pixel({ order_id, click_id: hose, value_micros: "2", token: await tokenOf(other.id) });
      // A click of the one advertiser says nothing to the pixel of the other.
      await pixel({ order_id: newOrder(), click_id: boots, token: await tokenOf(other.id) });
      expect(await report({ order_id, click_id: hose, value_micros: 4 })).toMatchObject({ duplicate: false });
    });
    expect(change).toEqual({ count: 2, value: 5, unverified: 1, unverifiedValue: 1 });
  });

  it("counts a bounded number of orders of one click", async () => {
    const click_id = await clicked();
    const many = 4 * PIXEL_ORDERS_PER_CLICK_MAX;
    const change = await changeBy(() =>
      Promise.all(Array.from({ length: many }, () => pixel({ order_id: newOrder(), click_id, value_micros: "1" }))),
    );
    expect(change.count).toBe(PIXEL_ORDERS_PER_CLICK_MAX);
  });

  it("counts a value above the advertiser's limit as 0, and says so", async () => {
    const [order_id, click_id] = [newOrder(), await clicked()];
    expect(await changeBy(() => pixel({ order_id, click_id, value_micros: "999999999999" }))).toEqual(unverified(0));
    expect(await listed(order_id)).toMatchObject([{ value_micros: 0, over_limit: true }]);
    expect(await report({ order_id, click_id, value_micros: 999_999_999_999 })).toMatchObject({
      duplicate: false,
      value_micros: 999_999_999_999,
      over_limit: false,
    });
  });

  it("counts at most 100 times the advertiser's limit in 24 hours, what servers have reported since left out", async () => {
    const id = shop.campaign.advertiser_id;
    await pass(2 * DAY_MS);
    const changed = await call(shop.ctx, updateAdvertiser, { id, pixel_value_max_micros: 1000 });
    expect(changed.pixel_value_max_micros).toBe(1000);
    const orders: string[] = [];
    const buy = async () => {
      const click_id = await clicked();
      await Promise.all(
        Array.from({ length: PIXEL_ORDERS_PER_CLICK_MAX }, () => {
          orders.push(newOrder());
          return pixel({ order_id: orders.at(-1) ?? "", click_id, value_micros: "1000" });
        }),
      );
    };
    const change = await changeBy(async () => {
      for (let clicks = 0; clicks < 21; clicks++) await buy();
    });
    expect(change).toEqual({ count: 105, value: 100_000, unverified: 105, unverifiedValue: 100_000 });
    await report({ order_id: orders[0], value_micros: 0 });
    const click_id = await clicked();
    const again = (value_micros: string) => changeBy(() => pixel({ order_id: newOrder(), click_id, value_micros }));
    expect(await again("1000")).toEqual(unverified(1000));
    expect(await again("1")).toEqual(unverified(0));
    await pass(DAY_MS);
    expect(await again("1")).toEqual(unverified(1));
  });
});

it("finds a late click although another tenant reports thousands of orders with unknown clicks", async () => {
  const { sql } = test.engines;
  const junk = await makeTenant(test);
  await sql.query(
    `INSERT INTO conversions (id, tenant_id, mode, source, order_id, click_id, attribution, reason, value_micros, occurred_at, created_at, look_at)
     SELECT 'cnv_junk' || n, $1, 'live', 'server', n::text, $2, 'none', 'unknown_click', 0, $3, $3, $3
     FROM generate_series(1, 5000) n`,
    [junk.tenantId, NO_CLICK, new Date(clock.now().getTime() - 1000)],
  );
  const click_id = await clicked();
  await sql.query("UPDATE offers SET click_id = NULL WHERE click_id = $1", [click_id]);
  const late = await report({ order_id: newOrder(), click_id });
  expect(late).toMatchObject({ attribution: "none", reason: "unknown_click" });
  await sql.query("UPDATE offers SET click_id = $1 WHERE clicked_at IS NOT NULL AND click_id IS NULL", [click_id]);
  expect(await attributeWaiting(sql, { now: clock.now(), currency: "USD" })).toBe(1);
  expect(await listed(late.order_id)).toMatchObject([{ attribution: "click" }]);
});
