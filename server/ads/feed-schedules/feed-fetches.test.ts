import type { IncomingMessage, ServerResponse } from "node:http";
import { gzipSync } from "node:zlib";
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { adsTest, call, makeCampaign, refusal, uploadFeed } from "../../../test/factories/ads";
import type { AdsCtx } from "../../../test/factories/ads-ctx";
import { csvOf, feedShop } from "../../../test/factories/feed-shop";
import { connectPostgres } from "../../engines/postgres/connect-postgres";
import { deleteCampaign } from "../campaigns/delete-campaign";
import { FEED_LIMITS } from "../products/feed-limits";
import { ImportSlots } from "../products/import-slots";
import { deleteFeedSchedule } from "./delete-feed-schedule";
import { FeedFetches } from "./feed-fetches";
import type { FeedSchedule } from "./feed-schedule";
import type { FetchCtx } from "./fetch-feed";
import { FETCH_LIMITS } from "./fetch-limits";
import { getFeedSchedule } from "./get-feed-schedule";
import { requestFeedFetch } from "./request-feed-fetch";
import { setFeedSchedule } from "./set-feed-schedule";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const URL_OF_FEED = "https://shop.example/feed.csv";

let ctx: AdsCtx;
let campaignId: string;
let fetches: FeedFetches;
const warned: string[] = [];
const log = {
  info: () => undefined,
  warn: (...[, line]: unknown[]) => void warned.push(String(line)),
  error: (...[, line]: unknown[]) => void warned.push(String(line)),
};

const [ads, shop] = await Promise.all([adsTest(), feedShop()]);
afterAll(async () => {
  await shop.close();
  await ads.close();
});
beforeEach(async () => {
  // Nothing of the tests before is due.
  await ads.db.feedSchedule.deleteMany();
  warned.length = 0;
  ctx = (await ads.tenant()).key("live");
  campaignId = (await makeCampaign(ctx)).id;
  fetches = process({});
});
afterEach(async () => {
  await fetches.stop();
  expect(warned).toEqual([]);
});

/** The fetches of one worker process; `limits` are those of the fetch and of the import. */
const process = (
  limits: Partial<FetchCtx["limits"] & typeof FEED_LIMITS>,
  { sql = ads.sql, slots = ads.imports.slots }: { sql?: FetchCtx["sql"]; slots?: ImportSlots } = {},
) =>
  new FeedFetches(
    {
      itemsMax: ads.itemsMax,
      encryptionKey: ads.encryptionKey,
      publicUrl: ads.publicUrl,
      clock: ads.clock,
      sql,
      imports: { ...ads.imports, slots, limits: { ...FEED_LIMITS, ...limits } },
      limits: { ...FETCH_LIMITS, ...limits },
      network: shop.network,
    },
    log,
  );

const set = (fields: object = {}) => call(ctx, setFeedSchedule, { id: campaignId, url: URL_OF_FEED, ...fields });
const get = () => call(ctx, getFeedSchedule, { id: campaignId });
const live = async () => {
  const rows = await ads.db.product.findMany({
    where: { campaignId, archivedAt: null },
    orderBy: { externalId: "asc" },
  });
  return rows.map(({ externalId }) => externalId);
};
/** Fetches everything that is due; returns the schedule. */
async function fetchDue(by = fetches): Promise<FeedSchedule> {
  await by.round();
  await by.idle();
  return get();
}
/** After the time that lies between two fetches at the least. */
async function fetchNow(by = fetches): Promise<FeedSchedule> {
  ads.clock.advance(MINUTE_MS);
  await call(ctx, requestFeedFetch, { id: campaignId });
  return fetchDue(by);
}
const at = (ms: number) => new Date(ads.clock.now().getTime() + ms).toISOString();

describe("the schedule", () => {
  it("fetches a new feed at once and then every interval", async () => {
    shop.respondWith(csvOf("a", "b"));
    expect(await set({ interval: "6h" })).toMatchObject({ next_fetch_at: at(0), last_fetch: null });
    expect(await fetchDue()).toMatchObject({
      fetching: false,
      next_fetch_at: at(6 * HOUR_MS),
      last_fetch: { outcome: "imported", status: 200, error: null },
      last_import: { complete: true, accepted: 2, rejected: 0, errors: [], removed: 0, removal_skipped: null },
    });
    expect(await live()).toEqual(["a", "b"]);
    expect(shop.asked).toMatchObject([{ host: "shop.example", url: "/feed.csv" }]);
    ads.clock.advance(6 * HOUR_MS - 1);
    await fetchDue();
    expect(shop.asked).toHaveLength(1);
    ads.clock.advance(1);
    await fetchDue();
    expect(shop.asked).toHaveLength(2);
  });

  it("fetches a feed at most once a minute, however often somebody asks for it", async () => {
    shop.respondWith(csvOf("a"));
    await set();
    await fetchDue();
    for (let i = 0; i < 3; i++) {
      expect(await call(ctx, requestFeedFetch, { id: campaignId })).toMatchObject({ next_fetch_at: at(MINUTE_MS) });
      await fetchDue();
      await set({ url: `${URL_OF_FEED}?${i}` });
      await fetchDue();
    }
    expect(shop.asked).toHaveLength(1);
    ads.clock.advance(MINUTE_MS);
    await fetchDue();
    expect(shop.asked).toHaveLength(2);
  });

  it("keeps the time of the last fetch when only the interval changes", async () => {
    shop.respondWith(csvOf("a"));
    await set({ interval: "24h" });
    await fetchDue();
    ads.clock.advance(2 * HOUR_MS);
    expect(await set({ interval: "6h" })).toMatchObject({ next_fetch_at: at(4 * HOUR_MS) });
    expect(await set({ interval: "1h" })).toMatchObject({ next_fetch_at: at(0) });
  });

  it("pauses after 10 failures, retried ever later, and resumes on request", async () => {
    shop.respond((response) => void response.writeHead(404).end());
    await set({ interval: "1h" });
    const waits: number[] = [];
    for (let failure = 1; failure <= 9; failure++) {
      const { next_fetch_at, ...state } = await fetchDue();
      expect(state).toMatchObject({ status: "active", consecutive_failures: failure });
      const wait = Date.parse(String(next_fetch_at)) - ads.clock.now().getTime();
      waits.push(wait / MINUTE_MS);
      ads.clock.advance(wait);
    }
    expect(waits).toEqual([15, 30, 60, 60, 60, 60, 60, 60, 60]);
    const paused = { status: "paused", next_fetch_at: null, consecutive_failures: 10 };
    expect(await fetchDue()).toMatchObject({
      ...paused,
      last_fetch: { outcome: "failed", status: 404, error: { code: "http_status" } },
    });
    ads.clock.advance(48 * HOUR_MS);
    await fetchDue();
    expect(shop.asked).toHaveLength(10);
    expect(await fetchNow()).toMatchObject({ status: "paused", consecutive_failures: 11 });
    shop.respondWith(csvOf("a"));
    expect(await fetchNow()).toMatchObject({ status: "active", consecutive_failures: 0 });
  });

  it("resumes with new settings, and has every failure before it pauses again", async () => {
    shop.respond((response) => void response.writeHead(500).end());
    await set();
    await ads.db.feedSchedule.update({ where: { campaignId }, data: { failures: 10, pausedAt: ads.clock.now() } });
    expect(await get()).toMatchObject({ status: "paused" });
    expect(await set()).toMatchObject({ status: "active", consecutive_failures: 0 });
    expect(await fetchDue()).toMatchObject({ status: "active", consecutive_failures: 1 });
  });

  it("counts processes that were killed during a fetch, and pauses before it kills another one", async () => {
    shop.respondWith(csvOf("a"));
    await set();
    await fetchDue();
    ads.clock.advance(24 * HOUR_MS);
    const killedDuringFetch = (failures: number) =>
      ads.db.feedSchedule.update({ where: { campaignId }, data: { claim: "ftc_lost", failures } });
    await killedDuringFetch(9);
    expect(await fetchDue()).toMatchObject({
      status: "paused",
      fetching: false,
      last_fetch: { outcome: "failed", error: { code: "interrupted" } },
    });
    expect(shop.asked).toHaveLength(1);
    await set();
    await killedDuringFetch(0);
    ads.clock.advance(MINUTE_MS);
    expect(await fetchDue()).toMatchObject({ status: "active", consecutive_failures: 0 });
    expect(shop.asked).toHaveLength(2);
  });

  it("fetches nothing for an archived or ended campaign", async () => {
    shop.respondWith(csvOf("a"));
    await set();
    await ads.db.campaign.update({ where: { id: campaignId }, data: { status: "ended" } });
    await fetches.round();
    await ads.db.campaign.update({ where: { id: campaignId }, data: { status: "active" } });
    await call(ctx, deleteCampaign, { id: campaignId });
    await fetches.round();
    await fetches.idle();
    expect(shop.asked).toEqual([]);
  });
});

describe("an unchanged feed", () => {
  it("is not sent again: 304 keeps the products and the result of the last import", async () => {
    const modified = "Fri, 20 Nov 2026 07:00:00 GMT";
    const validators = { etag: '"v1"', "last-modified": modified };
    shop.respond((response, { headers }) => {
      const isKnown = headers["if-none-match"] === '"v1"' && headers["if-modified-since"] === modified;
      if (isKnown) response.writeHead(304).end();
      else response.writeHead(200, { "content-type": "text/csv", ...validators }).end(`${csvOf("a")}b,,,\n`);
    });
    await set({ interval: "1h" });
    expect(await fetchDue()).toMatchObject({ last_fetch: { outcome: "imported" } });
    ads.clock.advance(HOUR_MS);
    expect(await fetchDue()).toMatchObject({
      last_fetch: { outcome: "not_modified", status: 304, error: null },
      last_import: { accepted: 1, rejected: 1, errors: [{ line: 3, id: "b", code: "missing_field" }] },
    });
    expect(await live()).toEqual(["a"]);
    // "Fetch now" reads the feed in full.
    expect(await fetchNow()).toMatchObject({ last_fetch: { outcome: "imported", status: 200 } });
    await set({ url: `${URL_OF_FEED}?other` });
    ads.clock.advance(MINUTE_MS);
    expect(await fetchDue()).toMatchObject({ last_fetch: { outcome: "imported", status: 200 } });
  });

  it("is read in full after a feed that broke", async () => {
    const whole = (response: ServerResponse, { headers }: IncomingMessage) => {
      if (headers["if-none-match"] === '"v1"') response.writeHead(304).end();
      else response.writeHead(200, { "content-type": "text/csv", etag: '"v1"' }).end(csvOf("a"));
    };
    shop.respond(whole);
    await set({ interval: "1h", remove_missing: false });
    await fetchDue();
    let cutOff = () => {};
    shop.respond((response) => {
      response.writeHead(200, { "content-type": "text/csv", etag: '"v2"' });
      response.write(csvOf(...Array.from({ length: 1500 }, (_, i) => `sku-${i}`)));
      cutOff = () => void response.socket?.end();
    });
    ads.clock.advance(HOUR_MS);
    await fetches.round();
    await vi.waitUntil(async () => (await live()).length === 1001, { timeout: 15_000 });
    cutOff();
    await fetches.idle();
    expect(await get()).toMatchObject({
      last_fetch: { outcome: "failed", error: { code: "interrupted" } },
      last_import: { complete: false },
    });
    shop.respond(whole);
    ads.clock.advance(HOUR_MS);
    expect(await fetchDue()).toMatchObject({ last_fetch: { outcome: "imported" }, last_import: { complete: true } });
  });

  it("does not excuse a 304 that nobody asked for", async () => {
    shop.respond((response) => void response.writeHead(304).end());
    await set();
    expect(await fetchDue()).toMatchObject({ last_fetch: { outcome: "failed", error: { code: "http_status" } } });
  });
});

describe("products that are no longer in the feed", () => {
  const four = csvOf("a", "b", "c", "d");

  it("are archived by default after a complete feed, and kept on request", async () => {
    shop.respondWith(four);
    await set();
    await fetchDue();
    shop.respondWith(csvOf("a", "b", "c"));
    await set({ remove_missing: false });
    ads.clock.advance(MINUTE_MS);
    expect(await fetchDue()).toMatchObject({ last_import: { accepted: 3, removed: 0 } });
    expect(await live()).toHaveLength(4);
    await set();
    ads.clock.advance(MINUTE_MS);
    expect(await fetchDue()).toMatchObject({ last_import: { removed: 1, removal_skipped: null } });
    expect(await live()).toEqual(["a", "b", "c"]);
  });

  it.each<[string, () => void, object]>([
    ["is empty", () => shop.respondWith("id,title,link,price\n"), { error: { code: "empty_feed" } }],
    ["has no valid line", () => shop.respondWith("id,title,link\nz,,\n"), { error: { code: "no_valid_products" } }],
    ["is cut off", () => cutOff({ "content-length": 10_000 }), { error: { code: "interrupted" } }],
    ["is cut off between chunks", () => cutOff({}), { error: { code: "interrupted" } }],
    [
      "breaks",
      () => shop.respondWith('id,title,link\na,"A,https://shop.example/a\n'),
      { error: { code: "broken_csv" } },
    ],
    ["is missing", () => shop.respond((response) => void response.writeHead(404).end()), { status: 404 }],
  ])("stay when the feed %s", async (_, respond, last_fetch) => {
    shop.respondWith(four);
    await set();
    await fetchDue();
    respond();
    expect(await fetchNow()).toMatchObject({ last_fetch: { outcome: "failed", ...last_fetch } });
    expect(await live()).toEqual(["a", "b", "c", "d"]);
  });

  /** A response whose connection breaks after one product. */
  const cutOff = (headers: Record<string, number>) =>
    shop.respond((response) => {
      response.writeHead(200, { "content-type": "text/csv", ...headers });
      response.write(csvOf("a"), () => response.socket?.end());
    });

  it("stay when the feed has less than half as many lines as there are products", async () => {
    shop.respondWith(four);
    await set();
    await fetchDue();
    shop.respondWith(csvOf("a"));
    expect(await fetchNow()).toMatchObject({
      last_fetch: { outcome: "imported" },
      last_import: { complete: true, accepted: 1, removed: 0, removal_skipped: "too_few_products" },
    });
    expect(await live()).toHaveLength(4);
    shop.respondWith(csvOf("a", "e", "f"));
    expect(await fetchNow()).toMatchObject({ last_import: { removed: 3, removal_skipped: null } });
    expect(await live()).toEqual(["a", "e", "f"]);
  });

  it("stay when nobody can tell whether the response is complete", async () => {
    shop.respondWith(four);
    await set();
    await fetchDue();
    // Without a length and chunks, the end of the connection is the end of the feed.
    shop.respond(({ socket }) => {
      socket?.end(`HTTP/1.1 200 OK\r\ncontent-type: text/csv\r\nconnection: close\r\n\r\n${csvOf("a", "b", "c")}`);
    });
    expect(await fetchNow()).toMatchObject({
      last_fetch: { outcome: "imported" },
      last_import: { accepted: 3, removed: 0, removal_skipped: "unknown_length" },
    });
    expect(await live()).toHaveLength(4);
  });
});

describe("a hostile or broken server", () => {
  it.each<[string, string, object]>([
    ["a private address", "https://internal.example/feed", { code: "address_not_allowed" }],
    ["a public and a private address", "https://half-internal.example/feed", { code: "address_not_allowed" }],
    ["no address", "https://nowhere.example/feed", { code: "address_not_allowed" }],
  ])("with %s gets no request, also as the target of a redirect", async (_, url, error) => {
    shop.respondWith(csvOf("a"));
    await set({ url });
    expect(await fetchDue()).toMatchObject({ last_fetch: { outcome: "failed", status: null, error } });
    expect(shop.asked).toEqual([]);
    shop.respond((response) => void response.writeHead(302, { location: url }).end());
    await set();
    ads.clock.advance(MINUTE_MS);
    expect(await fetchDue()).toMatchObject({ last_fetch: { outcome: "failed", error } });
    expect(shop.asked).toHaveLength(1);
  });

  it.each([
    ["http", "http://shop.example/feed.csv"],
    ["a file", "file:///etc/passwd"],
    ["nothing", ""],
  ])("cannot redirect to %s", async (_, location) => {
    shop.respond((response) => void response.writeHead(302, location === "" ? {} : { location }).end());
    await set();
    expect(await fetchDue()).toMatchObject({
      last_fetch: { outcome: "failed", status: 302, error: { code: "unexpected_redirect" } },
    });
    expect(shop.asked).toHaveLength(1);
  });

  it("is followed through five redirects to other hosts, and no further", async () => {
    const redirects = (times: number) =>
      shop.respond((response, { url }) => {
        const done = Number(/\d+/.exec(url ?? "")?.[0] ?? 0);
        if (done === times) response.writeHead(200, { "content-type": "text/csv" }).end(csvOf("a"));
        else response.writeHead(301, { location: `https://cdn-${done}.example/${done + 1}` }).end();
      });
    redirects(5);
    await set({ url: "https://shop.example/0" });
    expect(await fetchDue()).toMatchObject({ last_fetch: { outcome: "imported" } });
    expect(shop.asked.map(({ host }) => host)).toEqual([
      "shop.example",
      ...[0, 1, 2, 3, 4].map((i) => `cdn-${i}.example`),
    ]);
    redirects(6);
    expect(await fetchNow()).toMatchObject({ last_fetch: { error: { code: "too_many_redirects" } } });
    expect(shop.asked).toHaveLength(6);
  });

  it("that sends a byte at a time, or nothing at all, is given up", async () => {
    const slow = process({ windowMs: 400, bytesMin: 1000, responseMs: 400 });
    const timers = new Set<NodeJS.Timeout>();
    shop.respond((response) => {
      response.writeHead(200, { "content-type": "text/csv" });
      const timer = setInterval(() => response.write("i"), 20);
      timers.add(timer);
      response.on("close", () => clearInterval(timer));
    });
    await set();
    const stalled = { outcome: "failed", error: { code: "stalled", message: expect.stringContaining("0.4 seconds") } };
    expect(await fetchDue(slow)).toMatchObject({ last_fetch: stalled });
    shop.respond((response) => response.writeHead(200, { "content-type": "text/csv" }).flushHeaders());
    expect(await fetchNow(slow)).toMatchObject({ last_fetch: stalled });
    shop.respond(() => undefined);
    expect(await fetchNow(slow)).toMatchObject({ last_fetch: { outcome: "failed", error: { code: "timeout" } } });
    for (const timer of timers) clearInterval(timer);
  });

  it("that sends more than a feed may have is cut off", async () => {
    const small = process({ sentBytesMax: 100_000 });
    let sent = 0;
    const row = `x,${"y".repeat(1000)},https://shop.example/x,1 USD\n`;
    shop.respond((response) => {
      response.writeHead(200, { "content-type": "text/csv" });
      response.write("id,title,link,price\n");
      const more = () => {
        sent += row.length;
        if (!response.destroyed) response.write(row, more);
      };
      more();
    });
    await set();
    expect(await fetchDue(small)).toMatchObject({ last_fetch: { error: { code: "upload_too_large" } } });
    // What sockets and streams hold on the way.
    expect(sent).toBeLessThan(100 * 2 ** 20);
  });

  it("that sends a gzip bomb is cut off; a gzip feed is read, however it is declared", async () => {
    const bomb = gzipSync(`id,title,link,price\n${`${"y".repeat(5000)}\n`.repeat(4000)}`);
    shop.respondWith(bomb, { "content-encoding": "gzip" });
    await set();
    expect(await fetchDue()).toMatchObject({ last_fetch: { error: { code: "compression_ratio" } } });
    shop.respondWith(gzipSync(csvOf("a")), { "content-encoding": "gzip" });
    expect(await fetchNow()).toMatchObject({ last_import: { accepted: 1 }, last_fetch: { outcome: "imported" } });
    shop.respondWith(gzipSync(csvOf("a", "b")), { "content-type": "application/octet-stream" });
    expect(await fetchNow()).toMatchObject({ last_import: { accepted: 2 }, last_fetch: { outcome: "imported" } });
  });

  it("that sends another encoding states it in its Content-Type", async () => {
    shop.respondWith(Buffer.from(csvOf("a").replace("Lantern", "Lampe für"), "latin1"), {
      "content-type": "text/csv; charset=iso-8859-1",
    });
    await set();
    expect(await fetchDue()).toMatchObject({ last_import: { accepted: 1, rejected: 0 } });
    const [product] = await ads.db.product.findMany({ where: { campaignId } });
    expect(product?.title).toBe("Lampe für a");
  });

  it.each([
    ["text/html; charset=utf-8", "<p>Not found</p>"],
    ["text/csv", "\u{feff}\n <!DOCTYPE HTML><html><body>Log in</body></html>"],
    ["text/plain", "<html><body>Log in</body></html>"],
  ])("that sends a web page as %s instead of a feed", async (type, body) => {
    shop.respondWith(body, { "content-type": type });
    await set();
    expect(await fetchDue()).toMatchObject({
      last_fetch: { outcome: "failed", status: 200, error: { code: "not_a_feed" } },
      last_import: null,
    });
  });

  it("that cannot be reached", async () => {
    shop.respond(({ socket }) => void socket?.destroy());
    await set();
    const { last_fetch } = await fetchDue();
    expect(last_fetch).toMatchObject({ outcome: "failed", status: null, error: { code: "connection_failed" } });
    expect(last_fetch?.error?.message).toBe("The connection to shop.example failed (ECONNRESET).");
  });
});

describe("credentials", () => {
  const credentials = { username: "shop", password: "pa:ss – wörd" };
  const basic = `Basic ${Buffer.from("shop:pa:ss – wörd").toString("base64")}`;

  it("go to the URL's own origin only, and are stored encrypted", async () => {
    shop.respond((response, { url }) => {
      if (url === "/feed.csv") response.writeHead(302, { location: "https://cdn.example/1" }).end();
      else response.writeHead(200, { "content-type": "text/csv" }).end(csvOf("a"));
    });
    expect(await set(credentials)).toMatchObject({ username: "shop" });
    expect(await fetchDue()).toMatchObject({ last_fetch: { outcome: "imported" } });
    expect(shop.asked.map(({ host, headers }) => [host, headers.authorization])).toEqual([
      ["shop.example", basic],
      ["cdn.example", undefined],
    ]);
    const stored =
      JSON.stringify(await ads.db.feedSchedule.findMany()) +
      JSON.stringify(await ads.db.auditEntry.findMany({ select: { details: true, targets: true } }));
    expect(stored).not.toContain("wörd");
    expect(JSON.stringify(await get())).not.toContain("wörd");
  });

  it("stay only for the same origin and user name", async () => {
    shop.respondWith(csvOf("a"));
    await set(credentials);
    const other = "https://attacker.example/feed.csv";
    for (const fields of [{ url: other, username: "shop" }, { username: "other" }]) {
      expect(await refusal(set(fields))).toMatchObject({ code: "invalid_request", param: "password" });
    }
    await set({ url: "https://shop.example/other.csv", username: "shop" });
    await fetchDue();
    expect(shop.asked.map(({ headers }) => headers.authorization)).toEqual([basic]);
    await set({ url: other });
    ads.clock.advance(MINUTE_MS);
    await fetchDue();
    expect(shop.asked.at(-1)).toMatchObject({ host: "attacker.example" });
    expect(shop.asked.at(-1)?.headers.authorization).toBeUndefined();
    expect(await refusal(set({ username: "shop" }))).toMatchObject({ param: "password" });
    expect(await refusal(set({ password: "x" }))).toMatchObject({ param: "username" });
  });

  it("moved to another row cannot be decrypted", async () => {
    await set(credentials);
    const { sealedPassword } = await ads.db.feedSchedule.findUniqueOrThrow({ where: { campaignId } });
    campaignId = (await makeCampaign(ctx)).id;
    shop.respondWith(csvOf("a"));
    await set({ username: "shop", password: "x" });
    await ads.db.feedSchedule.update({ where: { campaignId }, data: { sealedPassword } });
    expect(await fetchDue()).toMatchObject({ last_fetch: { error: { code: "credentials_unreadable" } } });
    expect(shop.asked.every(({ headers }) => headers.authorization === basic)).toBe(true);
  });
});

describe("invalid settings", () => {
  it.each<[string, object]>([
    ["url", { url: "http://shop.example/feed.csv" }],
    ["url", { url: "https://user:secret@shop.example/feed.csv" }],
    ["url", { url: "https://127.0.0.1/feed.csv" }],
    ["url", { url: "https://2130706433/feed.csv" }],
    ["url", { url: "https://[::1]/feed.csv" }],
    ["url", { url: "https://localhost/feed.csv" }],
    ["url", { url: "ftp://shop.example/feed.csv" }],
    ["interval", { interval: "2h" }],
    ["username", { username: "a:b", password: "x" }],
    ["password", { username: "a", password: "x\ny" }],
  ])("%s is rejected in %j", async (param, fields) => {
    const { error } = setFeedSchedule.input.safeParse({ id: campaignId, url: URL_OF_FEED, ...fields });
    expect(error?.issues[0]?.path).toEqual([param]);
  });
});

describe("one fetch at a time", () => {
  it("per feed over several processes, and per tenant one slot fewer than uploads have", async () => {
    const second = connectPostgres(ads.url, { poolMax: 4 });
    const other = process({}, { sql: second.sql, slots: new ImportSlots(second.sql, FEED_LIMITS) });
    const waiting: (() => void)[] = [];
    shop.respond((response) => {
      response.writeHead(200, { "content-type": "text/csv" });
      waiting.push(() => response.end(csvOf("a")));
    });
    try {
      for (let i = 0; i < 3; i++) {
        campaignId = (await makeCampaign(ctx)).id;
        await set();
      }
      await Promise.all([fetches, other, fetches, other].map((each) => each.round()));
      await vi.waitUntil(() => waiting.length === 2, { timeout: 15_000 });
      for (let i = 0; i < 3; i++) await Promise.all([fetches.round(), other.round()]);
      const { campaignId: id } = await ads.db.feedSchedule.findFirstOrThrow({ where: { claim: { not: null } } });
      expect(await call(ctx, getFeedSchedule, { id })).toMatchObject({ fetching: true });
      const running = { code: "conflict", details: { reason: "fetch_running" } };
      expect(await refusal(call(ctx, requestFeedFetch, { id }))).toMatchObject(running);
      const importing = { code: "conflict", details: { reason: "import_running" } };
      expect(await refusal(uploadFeed(ctx, csvOf("x"), { id, content_type: "text/csv" }))).toMatchObject(importing);
      // The third campaign's own upload has a slot, although its fetch has none.
      const idle = await ads.db.feedSchedule.findFirstOrThrow({ where: { claim: null } });
      expect(await uploadFeed(ctx, csvOf("x"), { id: idle.campaignId, content_type: "text/csv" })).toMatchObject({
        accepted: 1,
      });
      for (const finish of waiting.splice(0)) finish();
      await Promise.all([fetches.idle(), other.idle()]);
      await other.round();
      await vi.waitUntil(() => waiting.length === 1, { timeout: 15_000 });
      for (const finish of waiting) finish();
      await other.idle();
      expect(shop.asked).toHaveLength(3);
      expect(await ads.db.product.count({ where: { campaign: { tenantId: ctx.actor.tenantId } } })).toBe(4);
    } finally {
      await other.stop();
      await second.close();
    }
  });

  it("of one tenant does not keep another tenant waiting", async () => {
    shop.respond(() => undefined);
    for (let i = 0; i < 7; i++) {
      campaignId = (await makeCampaign(ctx)).id;
      await set();
    }
    await fetches.round();
    await vi.waitUntil(() => shop.asked.length === 2, { timeout: 15_000 });
    ads.clock.advance(1000);
    ctx = (await ads.tenant()).key("live");
    campaignId = (await makeCampaign(ctx)).id;
    await set();
    await fetches.round();
    await vi.waitUntil(() => shop.asked.length === 3, { timeout: 15_000 });
  });
});

describe("a running fetch", () => {
  /** A feed whose first 1,000 products are stored and whose rest does not come. */
  async function halfFetched(): Promise<void> {
    shop.respond((response) => {
      response.writeHead(200, { "content-type": "text/csv" });
      response.write(csvOf(...Array.from({ length: 1500 }, (_, i) => `sku-${i}`)));
    });
    await set();
    await fetches.round();
    await vi.waitUntil(async () => (await live()).length === 1000, { timeout: 15_000 });
  }

  it("stops when the schedule is deleted; what it stored stays", async () => {
    await halfFetched();
    await call(ctx, deleteFeedSchedule, { id: campaignId });
    await fetches.round();
    await fetches.idle();
    expect(await refusal(get())).toMatchObject({ code: "not_found", details: { reason: "no_feed_schedule" } });
    expect(await live()).toHaveLength(1000);
  });

  it("stops when the schedule changes, and the new feed follows", async () => {
    await halfFetched();
    await set({ url: "https://shop.example/new.csv" });
    expect(await get()).toMatchObject({ fetching: false, last_fetch: null });
    await fetches.round();
    await fetches.idle();
    shop.respondWith(csvOf("a"));
    ads.clock.advance(MINUTE_MS);
    expect(await fetchDue()).toMatchObject({ last_fetch: { outcome: "imported" }, consecutive_failures: 0 });
  });

  it("stays due when its process stops, without a failure", async () => {
    await halfFetched();
    await fetches.stop();
    expect(await get()).toMatchObject({ fetching: false, consecutive_failures: 0, last_fetch: null });
    shop.respondWith(csvOf("a"));
    expect(await fetchDue(process({}))).toMatchObject({ last_fetch: { outcome: "imported" } });
  });
});

it("rejected lines with any text are kept like those of an upload", async () => {
  const rows = Array.from({ length: 1100 }, (_, i) => ({ id: `bad-${i}\u0000\ud800`, title: "T", link: "ftp://x" }));
  const good = { id: "good", title: "T", link: "https://shop.example/1" };
  shop.respondWith([good, ...rows].map((row) => JSON.stringify(row)).join("\n"), {
    "content-type": "application/json",
  });
  await set();
  const { last_import } = await fetchDue();
  expect(last_import).toMatchObject({ accepted: 1, rejected: 1100, errors_truncated: true, complete: true });
  expect(last_import?.errors).toHaveLength(1000);
  expect(last_import?.errors[0]).toMatchObject({ line: 2, code: "invalid_field" });
});
