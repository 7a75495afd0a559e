import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { makeShop, ORIGIN, testApp } from "../factories/app";
import { click, FAR_AWAY, offersFor, oneOffer, refusalOf, reportIds, type Sent, send } from "../factories/calls";
import { openForFile } from "../factories/open-for-file";

const OFFERS = "/api/v1/offers";
const test = await openForFile(testApp());
const shop = await makeShop(test);

const post = (sent: Sent = {}) => send(test, OFFERS, { key: shop.serverKey, body: { query: "warm boots" }, ...sent });
const chunked = (text: string): ReadableStream<Uint8Array> =>
  new ReadableStream({
    start(controller) {
      const bytes = new TextEncoder().encode(text);
      for (let at = 0; at < bytes.length; at += 65_536) controller.enqueue(bytes.slice(at, at + 65_536));
      controller.close();
    },
  });
const nested = (depth: number) => `${"[".repeat(depth)}${"]".repeat(depth)}`;

describe("every answer", () => {
  const answers: [number, string, () => Promise<Response>][] = [
    [200, "offers by POST", () => post()],
    [200, "offers by GET", () => send(test, `${OFFERS}?query=boots`, { key: shop.serverKey })],
    [204, "a preflight", () => send(test, OFFERS, { method: "OPTIONS", headers: { origin: ORIGIN } })],
    [204, "a preflight from nowhere", () => send(test, "/api/v1/signals", { method: "OPTIONS" })],
    [204, "impressions", () => reportIds(test, [])],
    [
      204,
      "signals",
      () => send(test, "/api/v1/signals", { key: shop.serverKey, body: { user_id: "u", signals: [{}] } }),
    ],
    [302, "a click", async () => click(test, (await oneOffer(test, shop.serverKey)).id)],
    [302, "HEAD of a click", async () => click(test, (await oneOffer(test, shop.serverKey)).id, { method: "HEAD" })],
    [400, "a bad field", () => post({ body: { limit: 9 } })],
    [401, "no key", () => send(test, OFFERS, { body: {} })],
    [404, "an unknown path", () => send(test, "/api/v1/nothing")],
    [404, "an unknown offer", () => click(test, randomUUID())],
    [404, "a dead link in a browser", () => click(test, "x", { headers: { accept: "text/html" } })],
    [405, "another method", () => send(test, OFFERS, { method: "PUT", key: shop.serverKey })],
    [405, "HEAD of offers", () => send(test, OFFERS, { key: shop.serverKey, method: "HEAD" })],
    [405, "HEAD of signals", () => send(test, "/api/v1/signals", { method: "HEAD" })],
    [413, "a large body", () => post({ raw: " ".repeat(1_000_000) })],
    [415, "another media type", () => post({ headers: { "content-type": "text/plain" } })],
    [429, "too many reports", tooManyReports],
  ];
  async function tooManyReports(): Promise<Response> {
    const sent = { address: FAR_AWAY };
    // At once: one after another, a busy machine sends no more than the limit allows again meanwhile.
    const answers = await Promise.all(Array.from({ length: 200 }, () => reportIds(test, ["x"], sent)));
    const refused = answers.find(({ status }) => status !== 204);
    if (!refused) throw new Error("was never limited");
    return refused;
  }

  it.each(answers)("is %i with no-store and a request id: %s", async (status, _, ask) => {
    const answer = await ask();
    expect(answer.status).toBe(status);
    expect(answer.headers.get("cache-control")).toBe("no-store");
    expect(answer.headers.get("x-request-id")).toMatch(/^req_[0-9a-f]{24}$/);
  });

  it("is 503 with no-store, a request id and Retry-After while Postgres is away", async () => {
    const lonely = await testApp();
    const { serverKey } = await makeShop(lonely);
    const { query } = lonely.engines.sql;
    const away = Object.assign(new Error("connect ECONNREFUSED"), { code: "ECONNREFUSED" });
    lonely.engines.sql.query = (() => Promise.reject(away)) as typeof query;
    const sent = { key: serverKey, body: { query: "warm boots" }, headers: { "x-request-id": "mine" } };
    const { status, headers, error } = await refusalOf(await send(lonely, OFFERS, sent));
    lonely.engines.sql.query = query;
    expect([status, error.code, headers.get("retry-after")]).toEqual([503, "unavailable", "1"]);
    expect([headers.get("cache-control"), headers.get("x-request-id")]).toEqual(["no-store", "mine"]);
    await lonely.stop();
  });

  it.each(["a", "A-b_c.9", "x".repeat(128)])(
    "echoes a well-formed X-Request-ID, in the body of errors too: %s",
    async (id) => {
      const headers = { "x-request-id": id };
      expect((await post({ headers })).headers.get("x-request-id")).toBe(id);
      expect((await send(test, OFFERS, { method: "OPTIONS", headers })).headers.get("x-request-id")).toBe(id);
      const { error, headers: answered } = await refusalOf(await post({ headers, body: { limit: 0 } }));
      expect([error.request_id, answered.get("x-request-id")]).toEqual([id, id]);
    },
  );

  it.each(["", "has space", "x".repeat(129), "<script>", "ä"])("replaces a malformed X-Request-ID: %j", async (id) => {
    const answer = await post({ headers: { "x-request-id": id } });
    expect(answer.headers.get("x-request-id")).toMatch(/^req_[0-9a-f]{24}$/);
  });
});

describe("400", () => {
  it.each([
    ["cut short", "{"],
    ["no JSON", "query=boots"],
    ["empty", ""],
    ["two values", "{}{}"],
    ["a trailing comma", '{"query":"boots",}'],
    ["NaN", '{"limit":NaN}'],
  ])("refuses a body that is %s", async (_, raw) => {
    const { status, error } = await refusalOf(await post({ raw, method: "POST" }));
    expect([status, error.code]).toEqual([400, "invalid_request"]);
  });

  it.each([
    ["query", '{"query":"a\\u0000b"}'],
    ["signals[0].subject", '{"signals":[{"subject":"\\u0000"}]}'],
    ["signals[0].attributes", '{"signals":[{"attributes":{"a\\u0000":1}}]}'],
    ["body", '{"a\\u0000":1}'],
    ["no_such_field", '{"no_such_field":"\\u0000"}'],
    ["placement", '{"placement":"\\ud800"}'],
    ["locale", '{"locale":"en\\udc00"}'],
    ["signals[0].attributes", '{"signals":[{"attributes":{"\\udfff":1}}]}'],
  ])("refuses text that no database keeps, by its name: %s in %s", async (param, raw) => {
    const { status, error } = await refusalOf(await post({ raw }));
    expect([status, error.param]).toEqual([400, param]);
  });

  it("refuses NUL in a query string", async () => {
    const { status, error } = await refusalOf(await send(test, `${OFFERS}?query=a%00b`, { key: shop.serverKey }));
    expect([status, error.param]).toEqual([400, "query"]);
  });

  it("takes 32 levels of nesting and refuses one more", async () => {
    expect((await post({ raw: `{"unknown":${nested(31)}}` })).status).toBe(200);
    expect((await post({ raw: `{"unknown":${nested(32)}}` })).status).toBe(400);
    expect((await post({ raw: nested(100_000) })).status).toBe(400);
  });

  it("does not let one caller's text spoil the answers of its neighbours", async () => {
    const text = "'; DROP TABLE offers; -- \\u0000 \u{1f97e} <b>";
    const odd = { query: "warm boots", user_id: text, signals: [{ subject: text, category: text }], locale: "\\" };
    const asked = Array.from({ length: 20 }, (_, i) => offersFor(test, shop.serverKey, i % 2 === 0 ? odd : {}));
    for (const { offers } of await Promise.all(asked)) expect(offers).toHaveLength(1);
  });
});

describe("405", () => {
  it.each([
    ["PUT", OFFERS, ["GET", "POST"]],
    ["DELETE", OFFERS, ["GET", "POST"]],
    ["GET", "/api/v1/signals", ["POST"]],
    ["GET", "/api/v1/impressions/batch", ["POST"]],
    ["POST", `/api/v1/clicks/${randomUUID()}`, ["GET", "HEAD"]],
  ])("answers %s %s with what is allowed", async (method, path, allow) => {
    const { status, headers, error } = await refusalOf(await send(test, path, { method, key: shop.serverKey }));
    expect([status, error.code]).toEqual([405, "method_not_allowed"]);
    expect(headers.get("allow")?.split(", ").sort()).toEqual(allow);
  });

  it("answers HEAD of offers with what is allowed, and makes no offers", async () => {
    const asked = `${OFFERS}?query=warm%20boots`;
    const made = async (): Promise<bigint> => {
      const { rows } = await test.engines.sql.query<{ made: bigint }>(
        "SELECT count(*) AS made FROM offers WHERE channel_id = $1",
        [shop.channel.id],
      );
      return rows[0]?.made ?? -1n;
    };
    const before = await made();
    const answer = await send(test, asked, { method: "HEAD", key: shop.serverKey });
    expect([answer.status, answer.headers.get("allow"), await answer.text()]).toEqual([405, "POST, GET", ""]);
    expect(await made()).toBe(before);
    // The same request as GET shows that the count would tell.
    expect((await send(test, asked, { key: shop.serverKey })).status).toBe(200);
    expect(await made()).toBe(before + 1n);
  });
});

describe("413", () => {
  const large = JSON.stringify({ query: "x".repeat(1 << 20) });
  it.each([
    ["by its length", { raw: large, headers: { "content-length": `${large.length}` } }],
    ["in chunks", { raw: chunked(large) }],
  ])("refuses a body of 1 MB %s", async (_, sent) => {
    const { status, error } = await refusalOf(await post(sent));
    expect([status, error.code]).toEqual([413, "payload_too_large"]);
  });

  it("takes a body of 200 KB", async () => {
    expect((await post({ raw: JSON.stringify({ query: "boots", unknown: "x".repeat(200_000) }) })).status).toBe(200);
  });
});

describe("415", () => {
  it.each(["text/plain", "application/x-www-form-urlencoded", "application/jsonp", ""])("refuses %j", async (type) => {
    const { status, error } = await refusalOf(await post({ headers: { "content-type": type } }));
    expect([status, error.code]).toEqual([415, "unsupported_media_type"]);
  });

  it("refuses a body without a media type", async () => {
    const request = new Request(`http://localhost:3000${OFFERS}`, {
      method: "POST",
      headers: { "x-svc-api-key": shop.serverKey },
      body: new Uint8Array([123, 125]),
    });
    expect((await test.app.offers.fetch(request, { address: "127.0.0.1" })).status).toBe(415);
  });

  it.each(["application/json; charset=utf-8", "Application/JSON"])("takes %s", async (type) => {
    expect((await post({ headers: { "content-type": type } })).status).toBe(200);
  });
});
