import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { ManualClock } from "../../server/kernel/clock";
import { ServiceError } from "../../server/kernel/errors";
import { uuidv7 } from "../../server/kernel/ids";
import { makeShop, testApp } from "../factories/app";
import {
  arrived,
  caughtUp,
  eventsOf,
  FAR_AWAY,
  LOOKS_FOR_MS,
  oneOffer,
  refusalOf,
  reportIds,
  send,
} from "../factories/calls";
import { openForFile } from "../factories/open-for-file";

const PATH = "/api/v1/impressions/batch";
const clock = new ManualClock(new Date());
const test = await openForFile(testApp({ clock }));
const [shop, other] = [await makeShop(test), await makeShop(test)];

const mint = async (key = shop.serverKey) => (await oneOffer(test, key)).id;
const mintMany = (count: number) => Promise.all(Array.from({ length: count }, () => mint()));
const trafficOf = (rows: { traffic: string }[]) => rows.map(({ traffic }) => traffic).sort();

describe("204", () => {
  it("counts an offer without any key, and says nothing", async () => {
    const id = await mint();
    const answer = await reportIds(test, [id]);
    expect([answer.status, await answer.text()]).toEqual([204, ""]);
    expect(await arrived(test, "impressions", { ids: [id], count: 1 })).toMatchObject([
      { traffic: "", reported_by: "browser", tenant_id: shop.tenantId, channel_id: shop.channel.id },
    ]);
  });

  it("takes text/plain, as beacons send it", async () => {
    const id = await mint();
    const raw = JSON.stringify({ ids: [id] });
    const headers = { "content-type": "text/plain;charset=UTF-8" };
    expect((await send(test, PATH, { raw, headers })).status).toBe(204);
    await arrived(test, "impressions", { ids: [id], count: 1 });
  });

  it("counts each id once within a batch, whatever its case", async () => {
    const id = await mint();
    expect((await reportIds(test, [id, id, id.toUpperCase()])).status).toBe(204);
    await caughtUp(test);
    expect(trafficOf(await eventsOf(test, "impressions", [id]))).toEqual([""]);
  });

  it("counts exactly once what 50 callers report at the same moment, and records the rest as duplicates", async () => {
    const ids = await mintMany(20);
    const answers = await Promise.all(Array.from({ length: 50 }, () => reportIds(test, ids)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([204]));
    const rows = await arrived(test, "impressions", { ids, count: 50 * ids.length });
    const counted = rows.filter(({ traffic }) => traffic === "").map(({ offer_id }) => offer_id);
    expect(counted.sort()).toEqual([...ids].sort());
    expect(rows.filter(({ traffic }) => traffic === "duplicate")).toHaveLength(49 * ids.length);
  });

  it("ignores an empty list, junk and offers that never were", async () => {
    const junk = ["", "x", "'; DROP TABLE offers; --", randomUUID(), uuidv7(clock.now().getTime()), "🥾".repeat(500)];
    for (const ids of [[], junk]) expect((await reportIds(test, ids)).status).toBe(204);
    const id = await mint();
    expect((await reportIds(test, [...junk, id])).status).toBe(204);
    await arrived(test, "impressions", { ids: [id], count: 1 });
  });

  it("takes 256 ids", async () => {
    const id = await mint();
    const ids = [...Array.from({ length: 255 }, () => uuidv7(clock.now().getTime())), id];
    expect((await reportIds(test, ids)).status).toBe(204);
    await arrived(test, "impressions", { ids: [id], count: 1 });
  });

  it("records what comes more than 2 h after the serving as expired", async () => {
    const [punctual, late] = await mintMany(2);
    // Both were looked at since they were served.
    clock.advance(2 * 60 * 60 * 1000 - 2 * LOOKS_FOR_MS);
    await reportIds(test, [punctual]);
    clock.advance(LOOKS_FOR_MS + 1);
    await reportIds(test, [late]);
    expect(await arrived(test, "impressions", { ids: [punctual ?? ""], count: 1 })).toMatchObject([{ traffic: "" }]);
    expect(await arrived(test, "impressions", { ids: [late ?? ""], count: 1 })).toMatchObject([{ traffic: "expired" }]);
  });
});

describe("reported_by", () => {
  it("is server only with a valid server key, and only for offers of its channel", async () => {
    const [mine, foreign] = [await mint(), await mint(other.serverKey)];
    expect((await reportIds(test, [mine, foreign], { key: shop.serverKey })).status).toBe(204);
    await caughtUp(test);
    const rows = await eventsOf(test, "impressions", [mine, foreign]);
    expect(rows).toMatchObject([{ offer_id: mine, reported_by: "server", traffic: "" }]);
    await reportIds(test, [foreign]);
    expect(await arrived(test, "impressions", { ids: [foreign], count: 1 })).toMatchObject([
      { reported_by: "browser", traffic: "" },
    ]);
  });

  it("is browser with a browser key, a platform key or nonsense", async () => {
    for (const key of [shop.browserKey, `svc_live_${"a".repeat(48)}`, "nonsense"]) {
      const id = await mint();
      expect((await reportIds(test, [id], { key })).status).toBe(204);
      expect(await arrived(test, "impressions", { ids: [id], count: 1 })).toMatchObject([{ reported_by: "browser" }]);
    }
  });
});

describe("400", () => {
  it.each([
    ["ids", { ids: Array.from({ length: 257 }, () => "x") }],
    ["ids", {}],
    ["ids", { ids: "x" }],
    ["ids", { ids: null }],
    ["ids[1]", { ids: ["x", 5] }],
    ["body", ["x"]],
    ["ids[0]", { ids: ["a\0"] }],
  ])("names %s", async (param, body) => {
    const { status, error } = await refusalOf(await send(test, PATH, { body }));
    expect({ status, param: error.param }).toEqual({ status: 400, param });
  });

  it("counts none of 257 ids", async () => {
    const id = await mint();
    expect(
      (
        await reportIds(
          test,
          Array.from({ length: 257 }, () => id),
        )
      ).status,
    ).toBe(400);
    await reportIds(test, [id]);
    expect(await arrived(test, "impressions", { ids: [id], count: 1 })).toMatchObject([{ traffic: "" }]);
  });
});

describe("429", () => {
  it("limits reports by address with Retry-After, but neither servers with a key nor loopback", async () => {
    const id = await mint();
    const sent = { address: FAR_AWAY };
    const statuses = [];
    for (let i = 0; i < 61; i++) statuses.push((await reportIds(test, ["x"], sent)).status);
    expect(statuses.filter((status) => status === 204)).toHaveLength(60);
    const { status, error, headers } = await refusalOf(await reportIds(test, [id], sent));
    expect([status, error.code, headers.get("retry-after")]).toEqual([429, "rate_limited", "1"]);
    await caughtUp(test);
    expect(await eventsOf(test, "impressions", [id])).toEqual([]);
    expect((await reportIds(test, [id], { ...sent, key: shop.serverKey })).status).toBe(204);
    expect((await reportIds(test, [id])).status).toBe(204);
    clock.advance(1000);
    expect((await reportIds(test, [id], sent)).status).toBe(204);
  });
});

describe("415", () => {
  it.each(["text/html", "application/x-www-form-urlencoded"])("refuses %s", async (type) => {
    expect((await send(test, PATH, { body: { ids: [] }, headers: { "content-type": type } })).status).toBe(415);
  });
});

describe("while the counters are away", () => {
  it("counts reports as if there were no limit", async () => {
    const [id, { take }] = [await mint(), test.engines.counters];
    test.engines.counters.take = () => Promise.reject(new ServiceError("unavailable", "Redis is away."));
    const { status } = await reportIds(test, [id], { address: "203.0.113.9" });
    test.engines.counters.take = take;
    expect(status).toBe(204);
    expect(await arrived(test, "impressions", { ids: [id], count: 1 })).toMatchObject([{ traffic: "" }]);
  });
});

describe("503", () => {
  it("is not needed for ids of the future, which nobody looks up", async () => {
    const { query } = test.engines.sql;
    const away = Object.assign(new Error("connect ECONNREFUSED"), { code: "ECONNREFUSED" });
    test.engines.sql.query = (() => Promise.reject(away)) as typeof query;
    const at = (aheadMs: number) => reportIds(test, [uuidv7(clock.now().getTime() + aheadMs)]);
    const answers = await Promise.all([at(60_000), at(60_001)]);
    test.engines.sql.query = query;
    expect(answers.map(({ status }) => status)).toEqual([503, 204]);
  });

  it("asks for another try while Postgres is away, which then counts once", async () => {
    const id = await mint();
    const { query } = test.engines.sql;
    const away = Object.assign(new Error("connect ECONNREFUSED"), { code: "ECONNREFUSED" });
    test.engines.sql.query = (() => Promise.reject(away)) as typeof query;
    const answer = await refusalOf(await reportIds(test, [id]));
    test.engines.sql.query = query;
    expect([answer.status, answer.error.code, answer.headers.get("retry-after")]).toEqual([503, "unavailable", "1"]);
    expect((await reportIds(test, [id])).status).toBe(204);
    await caughtUp(test);
    expect(trafficOf(await eventsOf(test, "impressions", [id]))).toEqual([""]);
  });
});
