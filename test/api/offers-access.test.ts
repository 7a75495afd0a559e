import { describe, expect, it } from "vitest";
import { createChannel } from "../../server/ads/channels/create-channel";
import { createChannelKey } from "../../server/ads/channels/create-channel-key";
import { revokeChannelKey } from "../../server/ads/channels/revoke-channel-key";
import { call } from "../factories/ads";
import { eventually, makeShop, ORIGIN, testApp } from "../factories/app";
import { FAR_AWAY, platformKey, refusalOf, type Sent, send } from "../factories/calls";
import { openForFile } from "../factories/open-for-file";

const OFFERS = "/api/v1/offers";
const SELF = "http://localhost:3000";
const ELSEWHERE = "https://elsewhere.example";

const test = await openForFile(testApp());
const shop = await makeShop(test);
/** Its origin is svc's own. */
const home = await makeShop(test, { origins: [SELF, ELSEWHERE] });

const post = (sent: Sent = {}) => send(test, OFFERS, { body: { query: "warm boots" }, ...sent });

describe("a key that was just created", () => {
  it("works at once, whichever process created it", async () => {
    const statuses: number[] = [];
    for (let i = 0; i < 15; i++) {
      const channel = await call(shop.ctx, createChannel, { name: `New ${i}`, mode: "live" });
      const { key } = await call(shop.ctx, createChannelKey, { id: channel.id, kind: "server" });
      statuses.push((await post({ key })).status);
    }
    expect(statuses).toEqual(Array(15).fill(200));
  });

  it("lets its origin's browsers preflight and ask at once", async () => {
    const origin = "https://brand-new.example";
    const channel = await call(shop.ctx, createChannel, {
      name: "New browser",
      mode: "live",
      origins: [origin],
    });
    const { key } = await call(shop.ctx, createChannelKey, { id: channel.id, kind: "browser" });
    const asked = await send(test, OFFERS, { method: "OPTIONS", headers: { origin } });
    expect(asked.headers.get("access-control-allow-origin")).toBe(origin);
    const answer = await post({ key, headers: { origin } });
    expect([answer.status, answer.headers.get("access-control-allow-origin")]).toEqual([200, origin]);
  });
});

describe("401", () => {
  const refusals: [string, () => Promise<Sent> | Sent][] = [
    ["no key", () => ({})],
    ["an empty key", () => ({ key: "" })],
    ["a malformed key", () => ({ key: "svc_srv_short" })],
    ["a key without the prefix", () => ({ key: shop.serverKey.slice(4) })],
    ["a key in another case", () => ({ key: shop.serverKey.toUpperCase() })],
    ["an unknown key", () => ({ key: `svc_srv_${"a".repeat(48)}` })],
    ["a revoked key", async () => ({ key: await revokedKey() })],
    ["a platform key", async () => ({ key: await platformKey(shop.ctx) })],
    ["a channel key as bearer", () => ({ headers: { authorization: `Bearer ${shop.serverKey}` } })],
    ["a browser key without Origin", () => ({ key: shop.browserKey })],
    ["a browser key from a foreign Origin", () => ({ key: shop.browserKey, headers: { origin: ELSEWHERE } })],
    ["a browser key from an opaque Origin", () => ({ key: shop.browserKey, headers: { origin: "null" } })],
    [
      "a browser key from a look-alike",
      () => ({ key: shop.browserKey, headers: { origin: `${ORIGIN}.evil.example` } }),
    ],
    [
      "a browser key that claims a same-origin POST without Origin",
      () => ({ key: home.browserKey, headers: { "sec-fetch-site": "same-origin" } }),
    ],
  ];

  it.each(refusals)("answers %s like every other wrong key", async (_, sentOf) => {
    const plain = await refusalOf(await post());
    const answer = await refusalOf(await post(await sentOf()));
    expect(answer.status).toBe(401);
    expect(answer.error).toEqual({ ...plain.error, request_id: answer.error.request_id });
    expect(Object.keys(answer.error)).toEqual(["code", "message", "request_id"]);
    expect(answer.headers.get("access-control-allow-origin")).toBeNull();
    expect([...answer.headers.keys()].sort()).toEqual([...plain.headers.keys()].sort());
  });

  it("refuses a same-origin GET where svc's own origin is none of the channel's", async () => {
    const headers = { "sec-fetch-site": "same-origin" };
    expect((await send(test, `${OFFERS}?query=boots`, { key: shop.browserKey, headers })).status).toBe(401);
    expect((await send(test, `${OFFERS}?query=boots`, { key: home.browserKey, headers })).status).toBe(200);
    const crossSite = { "sec-fetch-site": "cross-site" };
    expect((await send(test, `${OFFERS}?query=boots`, { key: home.browserKey, headers: crossSite })).status).toBe(401);
  });

  it("comes before anything is said about the body", async () => {
    expect((await send(test, OFFERS, { raw: "{", method: "POST" })).status).toBe(401);
    expect((await send(test, "/api/v1/signals", { body: {} })).status).toBe(401);
  });

  it("tells a server that its key for impression reports is wrong", async () => {
    const sent = { key: `svc_srv_${"b".repeat(48)}`, body: { ids: [] } };
    expect((await send(test, "/api/v1/impressions/batch", sent)).status).toBe(401);
  });

  async function revokedKey(): Promise<string> {
    const made = await call(shop.ctx, createChannelKey, { id: shop.channel.id, kind: "server" });
    await eventually(async () => (await post({ key: made.key })).status === 200);
    await call(shop.ctx, revokeChannelKey, { id: shop.channel.id, key_id: made.id });
    await eventually(async () => (await post({ key: made.key })).status !== 200);
    return made.key;
  }
});

describe("CORS", () => {
  const preflight = (origin?: string, path = OFFERS) =>
    send(test, path, {
      method: "OPTIONS",
      headers: { ...(origin ? { origin } : {}), "access-control-request-method": "POST" },
    });
  const allowed = (response: Response) => response.headers.get("access-control-allow-origin");

  it("answers a preflight for every origin that some active browser key allows, and for no other", async () => {
    for (const origin of [ORIGIN, ELSEWHERE, SELF]) {
      const answer = await preflight(origin);
      expect(answer.status).toBe(204);
      expect(allowed(answer)).toBe(origin);
      expect(answer.headers.get("access-control-allow-methods")).toMatch(/GET.*POST/);
      expect(answer.headers.get("access-control-allow-headers")).toMatch(/Content-Type.*X-SVC-API-Key/i);
      expect(answer.headers.get("access-control-max-age")).toBe("86400");
    }
    for (const origin of ["https://unknown.example", "null", undefined]) {
      const answer = await preflight(origin);
      expect([answer.status, allowed(answer), answer.headers.get("vary")]).toEqual([204, null, "Origin"]);
    }
  });

  it("forgets the origins of a channel whose last browser key was revoked", async () => {
    const origin = "https://short-lived.example";
    const brief = await makeShop(test, { origins: [origin] });
    expect(allowed(await preflight(origin))).toBe(origin);
    const { rows } = await test.engines.sql.query(
      "SELECT id FROM channel_keys WHERE channel_id = $1 AND kind = 'browser'",
      [brief.channel.id],
    );
    await call(brief.ctx, revokeChannelKey, { id: brief.channel.id, key_id: rows[0].id });
    await eventually(async () => allowed(await preflight(origin)) === null);
  });

  it("lets only the channel's origins read what its key was answered, errors too", async () => {
    const sent = { key: shop.browserKey, headers: { origin: ORIGIN } };
    const answers = {
      200: await post(sent),
      400: await post({ ...sent, body: { limit: 0 } }),
      404: await send(test, "/api/v1/nothing", sent),
      405: await send(test, OFFERS, { ...sent, method: "DELETE" }),
      413: await post({ ...sent, body: { query: "x".repeat(300_000) } }),
      415: await post({ ...sent, headers: { ...sent.headers, "content-type": "text/csv" } }),
    };
    for (const [status, answer] of Object.entries(answers)) {
      expect([answer.status, allowed(answer)]).toEqual([Number(status), ORIGIN]);
      expect(answer.headers.get("vary")).toBe(status === "404" ? "Origin, Sec-Purpose" : "Origin");
      expect(answer.headers.get("access-control-expose-headers")).toBe("X-Request-ID, Retry-After, X-Ignored-Ids");
      expect(answer.headers.get("access-control-allow-credentials")).toBeNull();
    }
    const foreign = await post({ key: shop.browserKey, headers: { origin: ELSEWHERE } });
    expect([foreign.status, allowed(foreign), foreign.headers.get("vary")]).toEqual([401, null, "Origin"]);
  });

  it("gives server keys no CORS headers", async () => {
    const answer = await post({ key: shop.serverKey, headers: { origin: ORIGIN } });
    expect(answer.status).toBe(200);
    const names = [...answer.headers.keys()].filter((name) => name.startsWith("access-control-"));
    expect([names, answer.headers.get("vary")]).toEqual([[], "Origin"]);
  });

  it("lets every allowed origin read the answer to an impression report, and no other", async () => {
    for (const [origin, seen] of [
      [ORIGIN, ORIGIN],
      [ELSEWHERE, ELSEWHERE],
      ["https://unknown.example", null],
    ] as const) {
      const sent = { body: { ids: [] }, headers: { origin } };
      expect(allowed(await send(test, "/api/v1/impressions/batch", sent))).toBe(seen);
    }
  });
});

describe("429", () => {
  it("limits a browser key by address, tells when to retry, and leaves server keys and loopback alone", async () => {
    const sent = { key: shop.browserKey, headers: { origin: ORIGIN }, address: FAR_AWAY };
    const statuses: number[] = [];
    let last = await post(sent);
    for (let i = 0; i < 2000 && last.status === 200; i++) {
      statuses.push(last.status);
      last = await post(sent);
    }
    expect(statuses.length).toBeGreaterThanOrEqual(60);
    const { status, headers, error } = await refusalOf(last);
    expect([status, error.code]).toEqual([429, "rate_limited"]);
    expect(Number(headers.get("retry-after"))).toBeGreaterThanOrEqual(1);
    expect(error.retry_after).toBe(Number(headers.get("retry-after")));
    expect(headers.get("access-control-allow-origin")).toBe(ORIGIN);
    expect((await post({ ...sent, address: "203.0.113.8" })).status).toBe(200);
    expect((await post({ ...sent, address: "127.0.0.1" })).status).toBe(200);
    expect((await post({ key: shop.serverKey, address: FAR_AWAY })).status).toBe(200);
  });
});
