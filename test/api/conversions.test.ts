import { beforeAll, describe, expect, it } from "vitest";
import { attributeWaiting } from "../../server/ads/conversions/attribute-waiting";
import { getPixel } from "../../server/ads/conversions/get-pixel";
import { getReport } from "../../server/ads/reports/get-report";
import { ManualClock } from "../../server/kernel/clock";
import { newId } from "../../server/kernel/ids";
import { call, makeAdvertiser, makeCampaign, makeCreative } from "../factories/ads";
import type { AdsCtx } from "../factories/ads-ctx";
import { makeShop, makeTenant, served, testApp } from "../factories/app";
import {
  caughtUp,
  click,
  FAR_AWAY,
  manage,
  oneOffer,
  platformKey,
  raiseRate,
  refusalOf,
  reportIds,
  type Sent,
  send,
} from "../factories/calls";
import { openForFile } from "../factories/open-for-file";

const SECOND = 1000;
const DAY = 24 * 60 * 60 * SECOND;
const NO_CLICK = "0".repeat(32);
const clock = new ManualClock(new Date());
const test = await openForFile(testApp({ clock }));
const shop = await makeShop(test, { campaign: { attribution: { click_days: 3, view_days: 1 } } });
const key = await platformKey(shop.ctx);
await raiseRate(test, shop.tenantId);

let orders = 0;
const newOrder = () => `order-${++orders}`;

interface HttpResult {
  [field: string]: unknown;
  id: string;
  duplicate: boolean;
}

const post = (body: unknown, sent: Sent = {}): Promise<Response> =>
  send(test, "/api/v1/conversions", { body, headers: { authorization: `Bearer ${key}` }, ...sent });

/** Reports an order as a client does that heeds a 503. */
async function report(fields: Record<string, unknown>): Promise<HttpResult> {
  const order = { order_id: newOrder(), ...fields };
  let response = await post(order);
  while (response.status === 503) response = await post(order);
  if (response.status !== 201) throw new Error(`conversions answered ${response.status}: ${await response.text()}`);
  return (await response.json()) as HttpResult;
}

/** A person's click, and the id that the landing page gets. */
async function clicked(ask: Record<string, unknown> = {}): Promise<string> {
  const offer = await oneOffer(test, shop.serverKey, ask);
  const { headers } = await click(test, offer.id);
  return new URL(headers.get("location") ?? "").searchParams.get("svc_click_id") ?? "";
}

describe("POST /api/v1/conversions", () => {
  it("attributes an order to the click that its landing page was given", async () => {
    const click_id = await clicked();
    expect(await report({ click_id, value_micros: 49_900_000 })).toMatchObject({
      attribution: "click",
      reason: null,
      campaign_id: shop.campaign.id,
      channel_id: shop.channel.id,
      value_micros: 49_900_000,
      currency: "USD",
      mode: "live",
      duplicate: false,
    });
  });

  const REFUSED: [what: string, body: unknown, param: string][] = [
    ["no order id", {}, "order_id"],
    ["an empty order id", { order_id: "  " }, "order_id"],
    ["an order id of 129 characters", { order_id: "x".repeat(129) }, "order_id"],
    ["a click id that is none", { order_id: "1", click_id: "abc" }, "click_id"],
    ["a negative value", { order_id: "1", value_micros: -1 }, "value_micros"],
    ["a value in parts of micros", { order_id: "1", value_micros: 0.5 }, "value_micros"],
    ["another currency", { order_id: "1", currency: "EUR" }, "currency"],
    ["a time that is none", { order_id: "1", occurred_at: "yesterday" }, "occurred_at"],
    ["an order of tomorrow", { order_id: "1", occurred_at: new Date(Date.now() + DAY) }, "occurred_at"],
    ["an order of last year", { order_id: "1", occurred_at: new Date(Date.now() - 91 * DAY) }, "occurred_at"],
    ["a user id that is an e-mail address", { order_id: "1", user_id: "ada@example.org" }, "user_id"],
    ["an unknown field", { order_id: "1", amount: 5 }, "amount"],
  ];
  it.each(REFUSED)("refuses %s, naming the field", async (_, body, param) => {
    const { status, error } = await refusalOf(await post(body));
    expect([status, error.code, error.param]).toEqual([400, "invalid_request", param]);
  });

  it("refuses a missing key, a channel key, a key without the scope, and what is no JSON", async () => {
    const body = { order_id: "1" };
    expect((await refusalOf(await post(body, { headers: {} }))).status).toBe(401);
    expect((await refusalOf(await post(body, { headers: {}, key: shop.serverKey }))).status).toBe(401);
    const reads = await platformKey(shop.ctx, { scopes: ["ads:read"] });
    const { status, error } = await refusalOf(await post(body, { headers: { authorization: `Bearer ${reads}` } }));
    expect([status, error.code]).toEqual([403, "forbidden"]);
    const raw = (type: string) => ({ raw: "{", headers: { authorization: `Bearer ${key}`, "content-type": type } });
    expect((await refusalOf(await post(undefined, raw("text/plain")))).status).toBe(415);
    expect((await refusalOf(await post(undefined, raw("application/json")))).status).toBe(400);
  });

  it("keeps an order of an unknown click and counts it for no campaign", async () => {
    expect(await report({ click_id: NO_CLICK })).toMatchObject({
      attribution: "none",
      reason: "unknown_click",
      campaign_id: null,
      channel_id: null,
      touched_at: null,
    });
    expect(await report({})).toMatchObject({ attribution: "none", reason: "no_touch" });
  });

  it("never attributes to a click on another tenant's campaign", async () => {
    const other = await makeShop(test);
    const offer = await oneOffer(test, other.serverKey);
    const location = (await click(test, offer.id)).headers.get("location") ?? "";
    const click_id = new URL(location).searchParams.get("svc_click_id");
    expect(await report({ click_id })).toMatchObject({ attribution: "none", reason: "unknown_click" });
  });

  it("does not know a click that was a bot's", async () => {
    const { id } = await oneOffer(test, shop.serverKey);
    await click(test, id, { headers: { "user-agent": "Googlebot/2.1" } });
    const { rows } = await test.engines.sql.query("SELECT click_id FROM offers WHERE id = $1", [id]);
    expect(rows).toEqual([{ click_id: null }]);
  });

  it("counts an order of the click's window to its last millisecond, and none after", async () => {
    const click_id = await clicked();
    const { rows } = await test.engines.sql.query<{ clicked_at: Date }>(
      "SELECT clicked_at FROM offers WHERE click_id = $1",
      [click_id],
    );
    const end = (rows[0]?.clicked_at.getTime() ?? 0) + 3 * DAY;
    clock.advance(4 * DAY);
    const at = (ms: number) => report({ click_id, occurred_at: new Date(ms).toISOString() });
    expect(await at(end)).toMatchObject({ attribution: "click" });
    expect(await at(end + 1)).toMatchObject({ attribution: "none", reason: "outside_window" });
    expect(await at(end - 3 * DAY - 1)).toMatchObject({ attribution: "none" });
  });

  it("attributes to the last click of a user, before any view", async () => {
    const user_id = `buyer-${newId("usr", 0)}`;
    await clicked({ user_id });
    clock.advance(SECOND);
    const last = await clicked({ user_id });
    clock.advance(SECOND);
    const seen = await oneOffer(test, shop.serverKey, { user_id });
    await reportIds(test, [seen.id]);
    const { id, attribution } = await report({ user_id });
    expect(attribution).toBe("click");
    const { rows } = await test.engines.sql.query("SELECT click_id FROM conversions WHERE id = $1", [id]);
    expect(rows).toEqual([{ click_id: last }]);
  });

  it("attributes to a view by its user within the view window, and to none after", async () => {
    const user_id = `viewer-${newId("usr", 0)}`;
    const offer = await oneOffer(test, shop.serverKey, { user_id });
    expect((await reportIds(test, [offer.id])).status).toBe(204);
    expect(await report({ user_id })).toMatchObject({ attribution: "view", campaign_id: shop.campaign.id });
    clock.advance(DAY + 1);
    expect(await report({ user_id })).toMatchObject({ attribution: "none", reason: "outside_window" });
    expect(await report({ user_id: `${user_id}-else` })).toMatchObject({ attribution: "none", reason: "no_touch" });
  });

  it("counts an order once, however often and at once it is reported", async () => {
    const order_id = newOrder();
    const click_id = await clicked();
    const answers = await Promise.all(Array.from({ length: 1000 }, () => report({ order_id, click_id })));
    expect(answers.filter(({ duplicate }) => !duplicate)).toHaveLength(1);
    expect(new Set(answers.map(({ id }) => id)).size).toBe(1);
    await caughtUp(test);
    const facts = await test.engines.clickhouse.query({
      query: "SELECT toUInt32(count()) AS n FROM conversions WHERE order_id = {order:String}",
      query_params: { order: order_id },
      format: "JSONEachRow",
    });
    expect(await facts.json()).toEqual([{ n: 1 }]);
  });

  it("answers an order that is reported again with what became of it, click or not", async () => {
    const order_id = newOrder();
    const first = await report({ order_id, click_id: await clicked(), value_micros: 5 });
    expect(await report({ order_id, value_micros: 7 })).toEqual({ ...first, duplicate: true });
    expect(await report({ order_id, advertiser_id: shop.campaign.advertiser_id })).toEqual({
      ...first,
      duplicate: true,
    });
  });

  it("counts the same order number of two advertisers twice", async () => {
    const [order_id, one, two] = [newOrder(), await makeAdvertiser(shop.ctx), await makeAdvertiser(shop.ctx)];
    expect((await report({ order_id, advertiser_id: one.id })).duplicate).toBe(false);
    expect((await report({ order_id, advertiser_id: two.id })).duplicate).toBe(false);
    expect((await report({ order_id, advertiser_id: two.id })).duplicate).toBe(true);
  });

  it("finds the click that came after its order, once", async () => {
    const offer = await oneOffer(test, shop.serverKey);
    const late = await report({ click_id: NO_CLICK });
    await click(test, offer.id);
    const { sql } = test.engines;
    await sql.query("UPDATE conversions SET click_id = (SELECT click_id FROM offers WHERE id = $1) WHERE id = $2", [
      offer.id,
      late.id,
    ]);
    await sql.query("UPDATE conversions SET occurred_at = occurred_at + interval '1 minute' WHERE id = $1", [late.id]);
    const again = { now: clock.now(), currency: "USD" };
    expect(await attributeWaiting(sql, again)).toBe(1);
    expect(await attributeWaiting(sql, again)).toBe(0);
    const listed = await manage(test, `/v1/ads/conversions?campaign_id=${shop.campaign.id}&limit=1`, { key });
    expect(await listed.json()).toMatchObject({ data: [{ id: late.id, attribution: "click", reason: null }] });
  });
});

describe("GET /v1/ads/conversions", () => {
  it("lists a tenant's own alone, and by campaign and attribution", async () => {
    const stranger = await platformKey(await makeTenant(test));
    expect(await (await manage(test, "/v1/ads/conversions", { key: stranger })).json()).toMatchObject({ data: [] });
    const answer = await manage(test, "/v1/ads/conversions?attribution=none", { key });
    const { data: items } = (await answer.json()) as { data: { attribution: string }[] };
    expect(items.length).toBeGreaterThan(0);
    expect(new Set(items.map(({ attribution }) => attribution))).toEqual(new Set(["none"]));
    expect((await manage(test, "/v1/ads/conversions?attribution=both", { key })).status).toBe(400);
  });
});

describe("the pixel", () => {
  const pixelOf = (ctx: AdsCtx, id: string) => call(ctx, getPixel, { id, mode: "live" });
  const load = (query: Record<string, string>, sent: Sent = {}) =>
    send(test, `/api/v1/conversions/pixel.gif?${new URLSearchParams(query)}`, sent);
  const rowsOf = async (order: string) => {
    const { rows } = await test.engines.sql.query(
      "SELECT attribution, value_micros FROM conversions WHERE order_id = $1",
      [order],
    );
    return rows;
  };
  let token: string;
  beforeAll(async () => {
    ({ token } = await pixelOf(shop.ctx, shop.campaign.advertiser_id));
  });

  it("answers an image that any page may show, and counts the order once", async () => {
    const order_id = newOrder();
    const ask = { token, order_id, click_id: await clicked(), value_micros: "1200000" };
    for (const _ of [1, 2]) {
      const answer = await load(ask);
      expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "image/gif"]);
      expect(answer.headers.get("cross-origin-resource-policy")).toBe("cross-origin");
      expect(
        Buffer.from(await answer.arrayBuffer())
          .subarray(0, 6)
          .toString(),
      ).toBe("GIF89a");
    }
    expect(await rowsOf(order_id)).toEqual([{ attribution: "click", value_micros: 1_200_000n }]);
  });

  it("refuses a token that was altered, is another mode's, or is missing", async () => {
    const forged = [
      `${token.slice(0, -1)}${token.endsWith("0") ? "1" : "0"}`,
      token.replace("live.", "test."),
      "",
      "x",
    ];
    for (const wrong of forged) {
      const order_id = newOrder();
      const { status, error } = await refusalOf(await load({ token: wrong, order_id }));
      expect([status, error.param]).toEqual([401, "token"]);
      expect(await rowsOf(order_id)).toEqual([]);
    }
  });

  it.each([
    ["order_id", { order_id: "" }],
    ["order_id", { order_id: "x".repeat(129) }],
    ["value_micros", { value_micros: "1e9" }],
    ["value_micros", { value_micros: "-1" }],
    ["value_micros", { value_micros: "99999999999999" }],
    ["click_id", { click_id: "<script>" }],
    ["currency", { currency: "EUR" }],
  ])("refuses a hostile %s", async (param, fields) => {
    const { status, error } = await refusalOf(await load({ token, order_id: newOrder(), ...fields }));
    expect([status, error.param]).toEqual([400, param]);
  });

  it("counts nothing for bots and HEAD requests", async () => {
    for (const sent of [{ headers: { "user-agent": "Googlebot/2.1" } }, { method: "HEAD" }]) {
      const order_id = newOrder();
      expect((await load({ token, order_id }, sent)).status).toBe(200);
      expect(await rowsOf(order_id)).toEqual([]);
    }
  });

  it("answers 429 to an address that reports more than it may, and still 200 to others", async () => {
    const statuses: number[] = [];
    for (let i = 0; i < 80; i++) {
      statuses.push((await load({ token, order_id: newOrder() }, { address: FAR_AWAY })).status);
    }
    expect(new Set(statuses)).toEqual(new Set([200, 429]));
    expect((await load({ token, order_id: newOrder() }, { address: "203.0.113.200" })).status).toBe(200);
  });

  it("is shown to no other tenant", async () => {
    const stranger = await makeTenant(test);
    await expect(pixelOf(stranger, shop.campaign.advertiser_id)).rejects.toMatchObject({ code: "not_found" });
  });
});

it("reports by channel and campaign what a count of every order says", async () => {
  const second = await makeCampaign(shop.ctx, { mode: "live", advertiser_id: shop.campaign.advertiser_id });
  await makeCreative(shop.ctx, second.id, { title: "Garden hose", content: "A hose for every garden" });
  await served(test, shop.serverKey);
  for (let i = 0; i < 40; i++) {
    const query = i % 3 === 0 ? "garden hose" : "warm boots";
    await report({ click_id: await clicked({ query }), value_micros: 1_000_003 * i });
  }
  await caughtUp(test);
  const from = new Date(clock.now().getTime() - 30 * DAY).toISOString();
  const to = new Date(clock.now().getTime() + DAY).toISOString();
  const ask = { group_by: "channel,campaign", mode: "live", from, to };
  const { rows } = await call(shop.ctx, getReport, ask);
  const counted = await test.engines.sql.query<{
    channel: string;
    campaign: string;
    conversions: number;
    value: number;
  }>(
    `SELECT channel_id AS channel, campaign_id AS campaign, count(*)::int AS conversions, sum(value_micros)::float8 AS value
     FROM conversions WHERE tenant_id = $1 AND attribution <> 'none' GROUP BY 1, 2 ORDER BY 1, 2`,
    [shop.tenantId],
  );
  expect(counted.rows).toHaveLength(2);
  const reported = rows
    .filter(({ conversions }) => conversions > 0)
    .map(({ channel, campaign, conversions, conversion_value_micros: value }) => ({
      channel,
      campaign,
      conversions,
      value,
    }));
  expect(reported.sort((a, b) => String(a.campaign).localeCompare(String(b.campaign)))).toEqual(counted.rows);
});
