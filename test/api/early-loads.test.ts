import { expect, it } from "vitest";
import { getPixel } from "../../server/ads/conversions/get-pixel";
import { ManualClock } from "../../server/kernel/clock";
import { call } from "../factories/ads";
import { makeShop, testApp } from "../factories/app";
import { arrived, click, manage, oneOffer, platformKey, send } from "../factories/calls";
import { openForFile } from "../factories/open-for-file";
import { queueTenant } from "../factories/queues";
import { offersRows, orderRows, platformRows } from "../factories/rows";

const clock = new ManualClock(new Date());
const test = await openForFile(testApp({ clock }));
const shop = await makeShop(test);

/** Headers of browsers on requests that they send in advance. */
const EARLY: Record<string, string>[] = [
  { "sec-purpose": "prefetch" },
  { "sec-purpose": "prefetch;prerender" },
  { "sec-purpose": "prefetch;anonymous-client-ip" },
  { purpose: "prefetch" },
  { "x-moz": "prefetch" },
  { "x-purpose": "preview" },
];

const clickIdOf = ({ headers }: Response): string | null =>
  new URL(headers.get("location") ?? "").searchParams.get("svc_click_id");

it("names every GET with an effect", () => {
  const all = [...offersRows, ...orderRows, ...platformRows];
  expect(all.filter(({ method, isSafe }) => method === "GET" && !isSafe).map(({ id }) => id)).toEqual([
    "getOffers",
    "followClick",
    "followPixel",
    "receiveMessages",
    "revealSecret",
  ]);
});

it.each(EARLY)(
  "a click that a browser sends in advance is refused, and the click itself counts: %o",
  async (headers) => {
    const { id } = await oneOffer(test, shop.serverKey);
    const early = await click(test, id, { headers: { accept: "text/html", ...headers } });
    expect([early.status, early.headers.get("cache-control"), early.headers.get("location")]).toEqual([
      503,
      "no-store",
      null,
    ]);
    expect(early.headers.get("vary")).toContain("Sec-Purpose");
    const followed = await click(test, id);
    expect([followed.status, followed.headers.get("vary")]).toEqual([302, "Origin, Sec-Purpose"]);
    expect(clickIdOf(followed)).toMatch(/^[0-9a-f]{32}$/);
    expect(await arrived(test, "clicks", { ids: [id], count: 1 })).toMatchObject([{ traffic: "" }]);
  },
);

it("an order's pixel and a request for offers are refused in advance", async () => {
  const { token } = await call(shop.ctx, getPixel, { id: shop.campaign.advertiser_id, mode: "live" });
  const clickId = clickIdOf(await click(test, (await oneOffer(test, shop.serverKey)).id)) ?? "";
  const load = (headers = {}) =>
    send(test, `/api/v1/conversions/pixel.gif?${new URLSearchParams({ token, order_id: "o-1", click_id: clickId })}`, {
      headers,
    });
  const orders = async () =>
    (await test.engines.sql.query("SELECT attribution FROM conversions WHERE order_id = 'o-1'")).rows;
  const early = await load(EARLY[0]);
  expect([early.status, early.headers.get("cache-control"), await orders()]).toEqual([503, "no-store", []]);
  expect((await load()).status).toBe(200);
  expect(await orders()).toEqual([{ attribution: "click" }]);
  const offers = await send(test, "/api/v1/offers?query=boots", { key: shop.serverKey, headers: EARLY[0] ?? {} });
  expect(offers.status).toBe(503);
});

it("a receive in advance takes no message, and reads go on", async () => {
  const { ctx, client } = await queueTenant(test);
  const key = await platformKey(ctx, { scopes: ["queues:read", "queues:write"] });
  const { name } = await client.create("jobs");
  await client.call(`/queues/${name}/send`, { body: { body: "a" } });
  const early = await manage(test, `/v1/queues/${name}/receive`, { key, headers: EARLY[1] ?? {} });
  expect([early.status, early.headers.get("cache-control"), early.headers.get("vary")]).toEqual([
    503,
    "no-store",
    "Sec-Purpose",
  ]);
  expect((await manage(test, "/v1/queues", { key, headers: EARLY[1] ?? {} })).status).toBe(200);
  expect(await client.receive(name)).toMatchObject([{ body: "a", receive_count: 1 }]);
});
