import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { ManualClock } from "../../server/kernel/clock";
import { ServiceError } from "../../server/kernel/errors";
import { uuidv7 } from "../../server/kernel/ids";
import { eventually, makeShop, testApp } from "../factories/app";
import { arrived, caughtUp, click, eventsOf, FAR_AWAY, LOOKS_FOR_MS, oneOffer, refusalOf } from "../factories/calls";
import { openForFile } from "../factories/open-for-file";

const HOUR_MS = 60 * 60 * 1000;
const DAY_MS = 24 * HOUR_MS;
const LANDING = "https://shop.example/boots";
const clock = new ManualClock(new Date());
const test = await openForFile(testApp({ clock }));
const shop = await makeShop(test);

const mint = async () => (await oneOffer(test, shop.serverKey)).id;
const clickIdOf = (response: Response) => /[?&]svc_click_id=([0-9a-f]{32})(#|$)/.exec(locationOf(response))?.[1];
const locationOf = (response: Response) => response.headers.get("location") ?? "";

describe("302", () => {
  it("leads to the landing page of the record with a click id of 128 bits, and counts once", async () => {
    const id = await mint();
    const answer = await click(test, id);
    expect(answer.status).toBe(302);
    const clickId = clickIdOf(answer);
    expect(locationOf(answer)).toBe(`${LANDING}?svc_click_id=${clickId}`);
    expect(answer.headers.get("referrer-policy")).toBe("origin");
    expect(answer.headers.get("cache-control")).toBe("no-store");
    expect(await answer.text()).toBe("");
    const [row] = await arrived(test, "clicks", { ids: [id], count: 1 });
    expect(row).toMatchObject({
      click_id: clickId,
      traffic: "",
      tenant_id: shop.tenantId,
      campaign_id: shop.campaign.id,
    });
  });

  it.each([
    ["a query", "https://shop.example/b?a=1&b=%20", "https://shop.example/b?a=1&b=%20&svc_click_id=ID"],
    ["a fragment", "https://shop.example/b#top", "https://shop.example/b?svc_click_id=ID#top"],
    ["both", "https://shop.example/?x=y#/route?z=1", "https://shop.example/?x=y&svc_click_id=ID#/route?z=1"],
    ["no path", "https://shop.example", "https://shop.example?svc_click_id=ID"],
    [
      "an international name",
      "https://bücher.example/ä?q=ö",
      "https://xn--bcher-kva.example/%C3%A4?q=%C3%B6&svc_click_id=ID",
    ],
  ])("appends the click id to a landing page with %s", async (_, landing_url, expected) => {
    const other = await makeShop(test, { creative: { landing_url } });
    const answer = await click(test, (await oneOffer(test, other.serverKey)).id);
    expect(locationOf(answer)).toBe(expected.replace("ID", clickIdOf(answer) ?? "none"));
  });

  it("takes nothing of the target from the request", async () => {
    const id = await mint();
    const headers = { referer: "https://evil.example/", host: "evil.example", "x-forwarded-host": "evil.example" };
    const answer = await click(test, `${id}?url=https://evil.example&svc_click_id=1`, { headers });
    expect(locationOf(answer)).toBe(`${LANDING}?svc_click_id=${clickIdOf(answer)}`);
  });

  it("redirects every further click under the first one's id and records it as a duplicate", async () => {
    const id = await mint();
    const first = clickIdOf(await click(test, id));
    const more = await Promise.all([click(test, id), click(test, id.toUpperCase()), click(test, id)]);
    expect(more.map(clickIdOf)).toEqual([first, first, first]);
    const rows = await arrived(test, "clicks", { ids: [id], count: 4 });
    expect(rows.map(({ traffic }) => traffic).sort()).toEqual(["", "duplicate", "duplicate", "duplicate"]);
    expect(new Set(rows.map(({ click_id }) => click_id))).toEqual(new Set([first]));
  });

  it("counts one of many clicks at the same moment and gives all of them its id", async () => {
    const id = await mint();
    const answers = await Promise.all(Array.from({ length: 50 }, () => click(test, id)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([302]));
    expect(new Set(answers.map(clickIdOf)).size).toBe(1);
    const rows = await arrived(test, "clicks", { ids: [id], count: 50 });
    expect(rows.filter(({ traffic }) => traffic === "")).toHaveLength(1);
    expect(rows.filter(({ traffic }) => traffic === "duplicate")).toHaveLength(49);
  });

  it("answers HEAD with the landing page, records it as such, and still counts the click of the person", async () => {
    const id = await mint();
    const look = await click(test, id, { method: "HEAD" });
    expect([look.status, locationOf(look)]).toEqual([302, LANDING]);
    expect(clickIdOf(await click(test, id))).toBeDefined();
    const rows = await arrived(test, "clicks", { ids: [id], count: 2 });
    expect(rows.map(({ traffic }) => traffic).sort()).toEqual(["", "head"]);
  });

  it("follows its link whatever key is sent along", async () => {
    for (const key of [shop.serverKey, `svc_srv_${"z".repeat(48)}`, "nonsense"]) {
      expect((await click(test, await mint(), { key })).status).toBe(302);
    }
  });

  it("counts until 2 h after the serving, and redirects uncounted afterwards", async () => {
    const [punctual, late] = [await mint(), await mint()];
    clock.advance(2 * HOUR_MS - 2 * LOOKS_FOR_MS);
    expect(clickIdOf(await click(test, punctual))).toBeDefined();
    clock.advance(LOOKS_FOR_MS + 1);
    const answer = await click(test, late);
    expect([answer.status, locationOf(answer)]).toEqual([302, LANDING]);
    expect(await arrived(test, "clicks", { ids: [punctual], count: 1 })).toMatchObject([{ traffic: "" }]);
    expect(await arrived(test, "clicks", { ids: [late], count: 1 })).toMatchObject([{ traffic: "expired" }]);
  });

  it("redirects clicks over the address's limit and counts none of them", async () => {
    const sent = { address: FAR_AWAY };
    const ids: string[] = [];
    for (let i = 0; i < 32; i++) ids.push(await mint());
    for (const id of ids) {
      const answer = await click(test, id, sent);
      expect([answer.status, locationOf(answer).startsWith(LANDING)]).toEqual([302, true]);
    }
    const rows = await arrived(test, "clicks", { ids, count: 32 });
    expect(rows.filter(({ traffic }) => traffic === "")).toHaveLength(30);
    expect(rows.filter(({ traffic }) => traffic === "rate_limited")).toHaveLength(2);
    const spared = await mint();
    expect(clickIdOf(await click(test, spared, { address: "127.0.0.1" }))).toBeDefined();
  });
});

describe("404", () => {
  it.each([
    ["an unknown offer", () => uuidv7(clock.now().getTime())],
    ["an offer of tomorrow", () => uuidv7(clock.now().getTime() + DAY_MS)],
    ["another kind of UUID", () => randomUUID()],
    ["no UUID", () => "offer-1"],
    ["SQL", () => "'; DROP TABLE offers; --"],
    ["NUL", () => "%00"],
  ])("answers %s in JSON", async (_, idOf) => {
    const { status, error, headers } = await refusalOf(await click(test, idOf()));
    expect([status, error.code, headers.get("content-type")]).toEqual([404, "not_found", "application/json"]);
  });

  it("answers bytes that are not UTF-8 in JSON", async () => {
    const { status, error, headers } = await refusalOf(await click(test, "%E0%A4%A"));
    expect([status, error.code, headers.get("content-type")]).toEqual([400, "invalid_request", "application/json"]);
  });

  it("redirects for 30 days and is over then", async () => {
    const month = await testApp({ clock: new ManualClock(new Date()) });
    const { serverKey } = await makeShop(month);
    const { id } = await oneOffer(month, serverKey);
    const { advance } = month.clock as ManualClock;
    advance.call(month.clock, 30 * DAY_MS - 1000);
    expect((await click(month, id)).status).toBe(302);
    advance.call(month.clock, 1001);
    expect((await click(month, id)).status).toBe(404);
    await month.stop();
  });

  it("shows people a short page without anything of the request in it", async () => {
    const headers = { accept: "text/html,application/xhtml+xml;q=0.9,*/*;q=0.8" };
    const answer = await click(test, "%3Cscript%3Ealert(1)", { headers });
    expect(answer.status).toBe(404);
    expect(answer.headers.get("content-type")).toBe("text/html; charset=utf-8");
    expect(answer.headers.get("content-security-policy")).toContain("default-src 'none'");
    const html = await answer.text();
    expect(html).toMatch(/^<!doctype html>.*This offer is no longer available/s);
    expect(html).not.toContain("alert");
  });
});

describe("429", () => {
  it("answers an address that goes on asking for offers that never were, but follows its real links", async () => {
    const guess = () => click(test, uuidv7(clock.now().getTime()), { address: "203.0.113.8" });
    const statuses: number[] = [];
    for (let i = 0; i < 30; i++) statuses.push((await guess()).status);
    expect(new Set(statuses)).toEqual(new Set([404]));
    const { status, error, headers } = await refusalOf(await guess());
    expect([status, error.code, headers.get("retry-after")]).toEqual([429, "rate_limited", "1"]);
    expect(clickIdOf(await click(test, await mint(), { address: "203.0.113.8" }))).toBeDefined();
    clock.advance(1000);
    expect((await guess()).status).toBe(404);
  });

  it("shows people a page that says to wait, and keeps Retry-After for programs", async () => {
    const visitor = { address: "203.0.113.10", headers: { accept: "text/html,*/*;q=0.8" } };
    const guess = () => click(test, uuidv7(clock.now().getTime()), visitor);
    for (let i = 0; i < 30; i++) await guess();
    const answer = await guess();
    expect([answer.status, answer.headers.get("retry-after")]).toEqual([429, "1"]);
    expect(answer.headers.get("content-type")).toBe("text/html; charset=utf-8");
    expect(answer.headers.get("content-security-policy")).toContain("default-src 'none'");
    expect(await answer.text()).toMatch(/^<!doctype html>.*Too many requests.*Wait a few seconds/s);
  });
});

describe("while the counters are away", () => {
  it("counts clicks as if there were no limit", async () => {
    const [id, { take }] = [await mint(), test.engines.counters];
    test.engines.counters.take = () => Promise.reject(new ServiceError("unavailable", "Redis is away."));
    try {
      expect(clickIdOf(await click(test, id, { address: "203.0.113.9" }))).toBeDefined();
      expect((await click(test, uuidv7(clock.now().getTime()), { address: "203.0.113.9" })).status).toBe(404);
    } finally {
      test.engines.counters.take = take;
    }
    expect(await arrived(test, "clicks", { ids: [id], count: 1 })).toMatchObject([{ traffic: "" }]);
  });
});

describe("while Postgres is frozen", () => {
  it("redirects a remembered offer, answers 503 for others, and counts once when it moves again", async () => {
    const id = await mint();
    const holder = await test.engines.sql.connect();
    let answers: Response[] = [];
    try {
      await holder.query("BEGIN");
      await holder.query("LOCK TABLE offers IN ACCESS EXCLUSIVE MODE");
      answers = await Promise.all([click(test, id), click(test, uuidv7(clock.now().getTime()))]);
    } finally {
      await holder.query("ROLLBACK");
      holder.release();
    }
    expect(answers.map(({ status }) => status)).toEqual([302, 503]);
    const clickId = clickIdOf(answers[0] as Response);
    expect(await arrived(test, "clicks", { ids: [id], count: 1 })).toMatchObject([{ click_id: clickId, traffic: "" }]);
    await caughtUp(test);
    expect(await eventsOf(test, "clicks", [id])).toHaveLength(1);
    expect(clickIdOf(await click(test, id))).toBe(clickId);
  });
});

describe("while Postgres is away", () => {
  it("knows without it that an offer of the future does not exist", async () => {
    const { query } = test.engines.sql;
    const away = Object.assign(new Error("connect ECONNREFUSED"), { code: "ECONNREFUSED" });
    test.engines.sql.query = (() => Promise.reject(away)) as typeof query;
    const at = (aheadMs: number) => click(test, uuidv7(clock.now().getTime() + aheadMs));
    const answers = await Promise.all([at(60_000), at(60_001)]);
    test.engines.sql.query = query;
    expect(answers.map(({ status }) => status)).toEqual([503, 404]);
  });

  it("redirects a remembered offer under one id, answers 503 for others, and counts once when it is back", async () => {
    const id = await mint();
    const { query } = test.engines.sql;
    const away = Object.assign(new Error("connect ECONNREFUSED"), { code: "ECONNREFUSED" });
    test.engines.sql.query = (() => Promise.reject(away)) as typeof query;
    const answers: Response[] = [];
    try {
      answers.push(await click(test, id));
      // The shipping loop tries to claim meanwhile, and must not lose what is remembered.
      const tries = Date.now() + 700;
      await eventually(() => Date.now() > tries);
      answers.push(await click(test, id), await click(test, id));
      const unknown = await refusalOf(await click(test, uuidv7(clock.now().getTime())));
      expect([unknown.status, unknown.error.code, unknown.headers.get("retry-after")]).toEqual([
        503,
        "unavailable",
        "1",
      ]);
      const page = await click(test, uuidv7(clock.now().getTime()), { headers: { accept: "text/html" } });
      expect([page.status, await page.text()]).toEqual([503, expect.stringContaining("Temporarily unavailable")]);
    } finally {
      test.engines.sql.query = query;
    }
    expect(answers.map(({ status }) => status)).toEqual([302, 302, 302]);
    expect(new Set(answers.map(clickIdOf)).size).toBe(1);
    const rows = await arrived(test, "clicks", { ids: [id], count: 3 });
    expect(rows.filter(({ traffic }) => traffic === "")).toMatchObject([
      { click_id: clickIdOf(answers[0] as Response) },
    ]);
    expect(rows.filter(({ traffic }) => traffic === "duplicate")).toHaveLength(2);
  });
});
