import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { SIGNALS_RECALLED_MAX, STORED_SIGNALS_RATE } from "../../server/ads/limits";
import { SignalMemory } from "../../server/ads/signals/signal-memory";
import { userKeyOf } from "../../server/ads/users/subject-keys";
import { ManualClock } from "../../server/kernel/clock";
import type { Scope } from "../../server/operation/actor";
import { makeCampaign, makeCreative } from "../factories/ads";
import type { AdsCtx } from "../factories/ads-ctx";
import { eventually, makeShop, served, testApp } from "../factories/app";
import { manage, offersFor, platformKey, refusalOf, type Sent, send } from "../factories/calls";
import { openForFile } from "../factories/open-for-file";

const PATH = "/api/v1/signals";
const BOOTS = { category: "purchase_intent", confidence: 0.9, subject: "warm boots", attributes: { budget: 90 } };
/** A signal of exactly `bytes` bytes as JSON, or one that is refused because it has more. */
function largeSignal(bytes: number) {
  const attributes: Record<string, string> = Object.fromEntries(
    Array.from({ length: 20 }, (_, i) => [`name${i}`, ""] as const),
  );
  let left = bytes - JSON.stringify({ attributes }).length;
  for (const name of Object.keys(attributes)) {
    const length = Math.min(500, left);
    attributes[name] = "x".repeat(length);
    left -= length;
  }
  return { attributes };
}
const manyNames = (count: number) => Array.from({ length: count }, (_, i) => [`name${i}`, 1] as const);
const WORDS = ["gears", "lights", "a basket", "brakes"];
const signals = fc.record(
  {
    category: fc.constantFrom("purchase_intent", "price_sensitivity", "made_up", ""),
    confidence: fc.constantFrom(0, 0.25, 0.5, 0.9, 1),
    subject: fc.constantFrom("", "high", "low", "trail bike", ...WORDS, "umbrella"),
    attributes: fc.dictionary(
      fc.constantFrom("budget", "min_price", "zeta", "a", "level"),
      fc.oneof(fc.integer({ min: -10, max: 2000 }), fc.constantFrom(...WORDS, null, "$800", "[]")),
      { maxKeys: 4 },
    ),
  },
  { requiredKeys: [] },
);
const clock = new ManualClock(new Date());
const test = await openForFile(testApp({ clock }));
const [shop, other] = [await makeShop(test), await makeShop(test)];

const report = (body: unknown, sent: Sent = {}) => send(test, PATH, { key: shop.serverKey, body, ...sent });
/** What somebody who asks for nothing in particular is offered. */
const laterOffers = async (who: Record<string, unknown>, key = shop.serverKey) =>
  (await offersFor(test, key, { query: "", ...who })).offers.map(({ title }) => title);

describe("204", () => {
  it.each(["user_id", "session_id"])("remembers signals under a %s for its later requests", async (field) => {
    const who = { [field]: `separate-${field}` };
    expect(await laterOffers(who)).toEqual([]);
    const answer = await report({ ...who, signals: [BOOTS] });
    expect([answer.status, await answer.text()]).toEqual([204, ""]);
    expect(await laterOffers(who)).toEqual(["Warm boots"]);
  });

  it("has the same effect as the same signals inside an offers request", async () => {
    await report({ user_id: "separately", signals: [BOOTS] });
    expect(await laterOffers({ user_id: "inline", signals: [BOOTS] })).toEqual(["Warm boots"]);
    expect(await laterOffers({ user_id: "inline" })).toEqual(await laterOffers({ user_id: "separately" }));
  });

  it("has that effect for any signals: separately, inline, for a user, for a session, and for nobody", async () => {
    const bikes = await makeShop(test, { creative: { title: "Trail bike", content: "A bike for the city" } });
    const prices = [300, 700, 1500];
    // Equals would take turns, so no two bid the same.
    for (const [i, amount] of prices.entries()) {
      const { id } = await makeCampaign(bikes.ctx, {
        mode: "live",
        name: `Bikes ${i}`,
        bid_micros: 510_000 + 10_000 * i,
      });
      const fields = { title: `Trail bike, ${WORDS[i]}`, price: { amount, currency: "USD" } };
      await makeCreative(bikes.ctx, id, { ...fields, content: `A bike with ${WORDS[i + 1]}` });
    }
    await served(test, bikes.serverKey);
    const orders = new Set<string>();
    let runs = 0;
    const property = fc.asyncProperty(fc.array(signals, { minLength: 1, maxLength: 10 }), async (given) => {
      const [key, run] = [bikes.serverKey, ++runs];
      const titles = async (ask: object) =>
        (await offersFor(test, key, { limit: 8, ...ask })).offers.map(({ title }) => title);
      await report({ user_id: `u${run}`, signals: given }, { key });
      await report({ session_id: `s${run}`, signals: given }, { key });
      for (const query of ["trail bike", ""]) {
        const inline = await titles({ query, signals: given });
        const others = [
          { user_id: `u${run}` },
          { session_id: `s${run}` },
          { user_id: `u${run}`, session_id: `s${run}` },
          { user_id: `v${run}`, signals: given },
          { session_id: `t${run}`, signals: given },
        ];
        for (const who of others) expect(await titles({ query, ...who })).toEqual(inline);
        orders.add(JSON.stringify(inline));
      }
    });
    await fc.assert(property, { numRuns: 25 });
    expect(orders.size).toBeGreaterThan(1);
  });

  it("takes every field of a signal, unknown categories and fields too", async () => {
    const iab = { type: "content", version: "3.1", ids: ["483", "484"] };
    const signals = [{ ...BOOTS, iab }, { category: "made_up", confidence: 0 }, { confidence: 1, extra: true }, {}];
    expect((await report({ user_id: "u", signals, unknown: 1 })).status).toBe(204);
  });

  it("lets the newest signals steer when many older ones are remembered", async () => {
    const older = Array.from({ length: 10 }, (_, i) => ({ subject: `quantum ${i}`, confidence: 0.5 }));
    for (let i = 0; i < 2; i++) {
      await report({
        user_id: "changed-mind",
        signals: older.map((one) => ({ ...one, subject: `${one.subject} ${i}` })),
      });
      clock.advance(1000);
    }
    await report({ user_id: "changed-mind", signals: [BOOTS] });
    expect(await laterOffers({ user_id: "changed-mind" })).toEqual(["Warm boots"]);
  });

  it("knows a user at one publisher only", async () => {
    await report({ user_id: "shared", signals: [BOOTS] });
    expect(await laterOffers({ user_id: "shared" }, other.serverKey)).toEqual([]);
    expect(await laterOffers({ session_id: "shared" })).toEqual([]);
  });

  it("forgets after 24 h", async () => {
    await report({ user_id: "forgetful", signals: [BOOTS] });
    clock.advance(24 * 60 * 60 * 1000 - 1000);
    expect(await laterOffers({ user_id: "forgetful" })).toEqual(["Warm boots"]);
    clock.advance(1001);
    expect(await laterOffers({ user_id: "forgetful" })).toEqual([]);
  });

  it("keeps no user id as it was sent", async () => {
    await report({ user_id: "ada@example.com", session_id: "raw-session", signals: [BOOTS] });
    const { rows } = await test.engines.sql.query("SELECT s::text AS text FROM signals s");
    expect(rows.length).toBeGreaterThan(0);
    expect(rows.filter(({ text }) => /ada@example|raw-session/.test(text))).toEqual([]);
  });

  it.each([
    ["Sec-GPC", { headers: { "sec-gpc": "1" } }, {}],
    ["a TCF string", {}, { consent: { tcf: "CPXxRfAPXxRfAAfKABENB-CgAAAAAAAAAAYgAAAAAAAA" } }],
    ["a GPP string", {}, { consent: { gpp: "DBABMA~CPXxRfA", gpp_sid: [2] } }],
  ])("remembers nothing under %s, separately or inline", async (name, sent, extra) => {
    const who = { user_id: `refuses ${name}` };
    expect((await report({ ...who, ...extra, signals: [BOOTS] }, sent)).status).toBe(204);
    expect(await laterOffers(who)).toEqual([]);
    // For the request that carries them they still count: that is context, not memory.
    expect(await laterOffers({ ...who, ...extra, ...sent, signals: [BOOTS] })).toEqual(["Warm boots"]);
    expect(await laterOffers(who)).toEqual([]);
  });

  it("recalls nothing of an earlier day for somebody who refuses now", async () => {
    await report({ user_id: "changed", signals: [BOOTS] });
    expect(await laterOffers({ user_id: "changed", headers: { "sec-gpc": "1" } })).toEqual([]);
    expect(await laterOffers({ user_id: "changed" })).toEqual(["Warm boots"]);
  });
});

describe("what one publisher can make svc store and remember", () => {
  const rowsOf = async (userId: string, tenantId: string) => {
    const key = userKeyOf(test.app.ads.userKey, tenantId, userId);
    const counted = await test.engines.sql.query("SELECT count(*)::int AS n FROM signals WHERE subject_key = $1", [
      key,
    ]);
    return counted.rows[0].n as number;
  };

  it("accepts a signal of exactly the documented size", async () => {
    expect((await report({ user_id: "large", signals: [largeSignal(8 * 1024)] })).status).toBe(204);
  });

  it("keeps the newest signals of a user, however many come, and they still steer", async () => {
    for (let i = 0; i < 30; i++) {
      const subjects = Array.from({ length: 10 }, (_, j) => ({ subject: `quantum ${i} ${j}`, confidence: 0.1 }));
      await report({ user_id: "busy", signals: subjects });
      clock.advance(10);
    }
    await report({ user_id: "busy", signals: [BOOTS] });
    expect(await rowsOf("busy", shop.tenantId)).toBeLessThanOrEqual(SIGNALS_RECALLED_MAX + 10);
    expect(await laterOffers({ user_id: "busy" })).toEqual(["Warm boots"]);
  });

  it("stores a limited number of bytes for a tenant; inline signals then steer their own request alone", async () => {
    const greedy = await makeShop(test);
    const calm = await makeShop(test);
    const signals = Array.from({ length: 10 }, () => largeSignal(8 * 1024));
    const calls = Math.ceil(STORED_SIGNALS_RATE.burst / (10 * 8 * 1024)) + 1;
    const statuses: number[] = [];
    for (let i = 0; i < calls; i += 40) {
      const batch = Array.from({ length: 40 }, (_, j) =>
        report({ session_id: `s${i + j}`, signals }, { key: greedy.serverKey }),
      );
      for (const answer of await Promise.all(batch)) statuses.push(answer.status);
    }
    expect(new Set(statuses)).toEqual(new Set([204, 429]));
    const refused = await report({ user_id: "late", signals }, { key: greedy.serverKey });
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
    const titles = await offersFor(test, greedy.serverKey, {
      query: "",
      user_id: "late",
      signals: [...signals.slice(1), BOOTS],
    });
    expect(titles.offers.map(({ title }) => title)).toEqual(["Warm boots"]);
    expect(await rowsOf("late", greedy.tenantId)).toBe(0);
    expect((await report({ user_id: "calm", signals: [BOOTS] }, { key: calm.serverKey })).status).toBe(204);
  });
});

describe("DELETE /v1/ads/users/{user_id}", () => {
  const erase = async (ctx: AdsCtx, userId: string, scopes: Scope[] = ["ads:write"]) => {
    const key = await platformKey(ctx, { scopes });
    return manage(test, `/v1/ads/users/${encodeURIComponent(userId)}`, { method: "DELETE", key });
  };

  it("forgets a user of this tenant in every process, and no other tenant's of the same id", async () => {
    const { counters, sql } = test.engines;
    const elsewhere = new SignalMemory({ sql, counters, clock });
    await elsewhere.listen();
    const userId = "ada/1@home";
    const keyAt = (tenantId: string) => userKeyOf(test.app.ads.userKey, tenantId, userId);
    for (const key of [shop.serverKey, other.serverKey]) await report({ user_id: userId, signals: [BOOTS] }, { key });
    expect(await elsewhere.recall([keyAt(shop.tenantId)])).toHaveLength(1);
    const answer = await erase(shop.ctx, userId);
    expect([answer.status, await answer.text()]).toEqual([204, ""]);
    expect(await laterOffers({ user_id: userId })).toEqual([]);
    expect(await laterOffers({ user_id: userId }, other.serverKey)).toEqual(["Warm boots"]);
    // Sooner than the 10 s after which a process would look again by itself.
    await eventually(async () => (await elsewhere.recall([keyAt(shop.tenantId)])).length === 0, 9000);
    const left = "SELECT tenant_id FROM signals WHERE subject_key = ANY ($1)";
    const { rows } = await sql.query(left, [[keyAt(shop.tenantId), keyAt(other.tenantId)]]);
    expect(rows).toEqual([{ tenant_id: other.tenantId }]);
    await elsewhere.close();
  });

  it("succeeds for somebody unknown, and needs the scope ads:write", async () => {
    expect((await erase(shop.ctx, "nobody")).status).toBe(204);
    expect((await erase(shop.ctx, "nobody", ["ads:read"])).status).toBe(403);
  });
});

describe("400", () => {
  it.each([
    ["user_id", { signals: [BOOTS] }],
    ["user_id", { user_id: "", session_id: "", signals: [BOOTS] }],
    ["user_id", { user_id: 1, signals: [BOOTS] }],
    ["signals", { user_id: "u" }],
    ["signals", { user_id: "u", signals: [] }],
    ["signals", { user_id: "u", signals: null }],
    ["signals", { user_id: "u", signals: Array.from({ length: 11 }, () => BOOTS) }],
    ["signals[0].confidence", { user_id: "u", signals: [{ ...BOOTS, confidence: 1.5 }] }],
    ["signals[0].confidence", { user_id: "u", signals: [{ ...BOOTS, confidence: -1 }] }],
    ["signals[0].confidence", { user_id: "u", signals: [{ ...BOOTS, confidence: "0.5" }] }],
    ["signals[1]", { user_id: "u", signals: [BOOTS, "boots"] }],
    ["signals[0].attributes.text", { user_id: "u", signals: [{ attributes: { text: "x".repeat(501) } }] }],
    ["signals[0].attributes.nested", { user_id: "u", signals: [{ attributes: { nested: { deep: [] } } }] }],
    ["signals[0].attributes.list", { user_id: "u", signals: [{ attributes: { list: [["inner"]] } }] }],
    ["signals[0].attributes.list", { user_id: "u", signals: [{ attributes: { list: Array(21).fill(1) } }] }],
    ["signals[0]", { user_id: "u", signals: [largeSignal(8 * 1024 + 1)] }],
    ["signals[0].attributes", { user_id: "u", signals: [{ attributes: Object.fromEntries(manyNames(51)) }] }],
  ])("names %s", async (param, body) => {
    const { status, error } = await refusalOf(await report(body));
    expect({ status, code: error.code, param: error.param }).toEqual({ status: 400, code: "invalid_request", param });
  });
});

describe("401", () => {
  it("needs the channel key", async () => {
    expect((await send(test, PATH, { body: { user_id: "u", signals: [BOOTS] } })).status).toBe(401);
  });
});
