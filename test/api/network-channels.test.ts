import { describe, expect, it } from "vitest";
import { SuspendChannel, suspendChannel } from "../../server/ads/channels/suspend-channel";
import type { NetworkChannels } from "../../server/ads/network-channels/list-network-channels";
import { makeAdvertiser, makeCampaign, makeCreative } from "../factories/ads";
import { eventually, makeShop, makeTenant, served, testApp } from "../factories/app";
import { caughtUp, click, manage, offersFor, platformKey, refusalOf, reportIds } from "../factories/calls";
import { openForFile } from "../factories/open-for-file";

const NEWS = "https://www.news.example";

const test = await openForFile(testApp());
const news = await makeShop(test, { origins: [NEWS] });
const blog = await makeShop(test, { origins: ["https://blog.example"] });

/** An advertiser with a network campaign for one word and a key to manage it. */
async function makeBuyer(word: string) {
  const ctx = await makeTenant(test);
  const advertiser = await makeAdvertiser(ctx, { mode: "live" });
  const fields = { mode: "live", reach: "network", advertiser_id: advertiser.id, bid_micros: 100_000 };
  const campaign = await makeCampaign(ctx, fields);
  await makeCreative(ctx, campaign.id, { title: `${word} lamp`, content: "A lamp" });
  for (const shop of [news, blog]) await served(test, shop.serverKey);
  return { ctx, advertiser, campaign, query: `${word} lamp`, key: await platformKey(ctx) };
}
type Buyer = Awaited<ReturnType<typeof makeBuyer>>;

const idsOn = async (shop: typeof news, { query }: Buyer): Promise<string[]> =>
  (await offersFor(test, shop.serverKey, { query })).offers
    .filter(({ title }) => String(title).startsWith(query))
    .map(({ id }) => id);

/** Offers that are seen, of which the first is clicked. */
async function appearOn(shop: typeof news, buyer: Buyer, times: number): Promise<void> {
  await eventually(async () => (await idsOn(shop, buyer)).length > 0);
  const ids = (await Promise.all(Array.from({ length: times }, () => idsOn(shop, buyer)))).flat();
  await reportIds(test, ids);
  await click(test, ids[0] ?? "");
  await caughtUp(test);
}

async function listFor(key: string, query = ""): Promise<NetworkChannels> {
  const response = await manage(test, `/v1/ads/network-channels${query}`, { key });
  expect(response.status).toBe(200);
  return (await response.json()) as NetworkChannels;
}

const patch = ({ advertiser, key }: Buyer, body: object) =>
  manage(test, `/v1/ads/advertisers/${advertiser.id}`, { method: "PATCH", key, body });

describe("GET /v1/ads/network-channels", () => {
  it("tells where campaigns appeared without names, each tenant by references of its own", async () => {
    const [amber, bronze] = [await makeBuyer("amber"), await makeBuyer("bronze")];
    await appearOn(news, amber, 3);
    await appearOn(blog, amber, 2);
    await appearOn(news, bronze, 1);
    const list = await listFor(amber.key);
    expect(list).toMatchObject({ mode: "live", truncated: false });
    expect(list.data.map(({ id: _, ...figures }) => figures).sort((a, b) => b.impressions - a.impressions)).toEqual([
      {
        impressions: 3,
        invalid_impressions: 0,
        clicks: 1,
        invalid_clicks: 0,
        ctr: 1 / 3,
        spend_micros: list.data[0]?.spend_micros,
        conversions: 0,
        blocked: false,
      },
      {
        impressions: 2,
        invalid_impressions: 0,
        clicks: 1,
        invalid_clicks: 0,
        ctr: 1 / 2,
        spend_micros: list.data[1]?.spend_micros,
        conversions: 0,
        blocked: false,
      },
    ]);
    const { rows } = await test.engines.sql.query<{ micros: number }>(
      "SELECT (sum(charge_nanos) / 1000)::int AS micros FROM ledger WHERE buyer_tenant_id = $1",
      [amber.ctx.tenantId],
    );
    expect(list.data.reduce((sum, { spend_micros }) => sum + spend_micros, 0)).toBe(rows[0]?.micros);
    const others = (await listFor(bronze.key)).data;
    expect(others).toHaveLength(1);
    expect(list.data.map(({ id }) => id)).not.toContain(others[0]?.id);
    const text = JSON.stringify([list, others]);
    for (const shop of [news, blog]) {
      for (const name of [shop.tenantId, shop.channel.id, shop.channel.name, "news.example"])
        expect(text).not.toContain(name);
    }
    expect((await listFor(news.ctx && (await platformKey(news.ctx)))).data).toEqual([]);
    expect((await listFor(amber.key, `?advertiser_id=${bronze.advertiser.id}`)).data).toEqual([]);
    expect((await listFor(await platformKey(amber.ctx, { mode: "test" }))).data).toEqual([]);
  });
});

describe("blocked_channels", () => {
  it("stop the advertiser's campaigns on that channel within moments, until it is unblocked", async () => {
    const buyer = await makeBuyer("copper");
    await appearOn(news, buyer, 1);
    await appearOn(blog, buyer, 3);
    const seen = (await listFor(buyer.key)).data.find(({ impressions }) => impressions === 1);
    const blocked = await patch(buyer, { blocked_channels: [seen?.id] });
    expect(blocked.status).toBe(200);
    expect(await blocked.json()).toMatchObject({ blocked_channels: [seen?.id] });
    await eventually(async () => (await idsOn(news, buyer)).length === 0);
    expect(await idsOn(blog, buyer)).toHaveLength(1);
    expect((await listFor(buyer.key)).data.map(({ id, blocked: is }) => [id === seen?.id, is])).toEqual(
      expect.arrayContaining([
        [true, true],
        [false, false],
      ]),
    );
    expect((await patch(buyer, { blocked_channels: [] })).status).toBe(200);
    await eventually(async () => (await idsOn(news, buyer)).length === 1);
  });

  it("refuse what the tenant was never told, another tenant's reference among it, and say which", async () => {
    const [buyer, other] = [await makeBuyer("denim"), await makeBuyer("ebony")];
    await appearOn(news, buyer, 1);
    await appearOn(news, other, 1);
    const [foreign] = (await listFor(other.key)).data;
    for (const ref of [foreign?.id, `nch_${"0".repeat(32)}`, news.channel.id, "nch_"]) {
      const { status, error } = await refusalOf(await patch(buyer, { blocked_channels: [ref] }));
      expect([status, error.code, error.param]).toEqual([
        400,
        "invalid_request",
        expect.stringContaining("blocked_channels"),
      ]);
    }
    const created = await manage(test, "/v1/ads/advertisers", {
      key: buyer.key,
      body: { name: "Second", blocked_channels: [foreign?.id] },
    });
    expect(created.status).toBe(400);
    expect(await idsOn(news, buyer)).toHaveLength(1);
  });
});

describe("blocked_domains", () => {
  it("stop the advertiser's campaigns on channels of that domain and below it", async () => {
    const buyer = await makeBuyer("fuchsia");
    for (const shop of [news, blog]) await eventually(async () => (await idsOn(shop, buyer)).length === 1);
    expect((await patch(buyer, { blocked_domains: ["News.example"] })).status).toBe(200);
    await eventually(async () => (await idsOn(news, buyer)).length === 0);
    expect(await idsOn(blog, buyer)).toHaveLength(1);
    expect((await patch(buyer, { blocked_domains: ["https://news.example"] })).status).toBe(400);
    expect(
      (await patch(buyer, { blocked_domains: Array.from({ length: 501 }, (_, i) => `a${i}.example`) })).status,
    ).toBe(400);
  });
});

describe("a suspended channel", () => {
  it("serves its own tenant's campaigns alone, until it is resumed", async () => {
    const buyer = await makeBuyer("golden");
    await eventually(async () => (await idsOn(blog, buyer)).length === 1);
    const operate = (suspended: boolean) =>
      suspendChannel(test.app.account, SuspendChannel.parse({ id: blog.channel.id, suspended }));
    expect([await operate(true), await operate(true)]).toEqual([true, false]);
    await eventually(async () => (await idsOn(blog, buyer)).length === 0);
    expect((await offersFor(test, blog.serverKey)).offers).toHaveLength(1);
    await operate(false);
    await eventually(async () => (await idsOn(blog, buyer)).length === 1);
  });
});

describe("GET /v1/ads/earnings", () => {
  it("has what the ledger has, for the publisher alone", async () => {
    const buyer = await makeBuyer("hazel");
    await appearOn(news, buyer, 1);
    const { rows } = await test.engines.sql.query<{ nanos: string }>(
      "SELECT sum(earning_nanos)::text AS nanos FROM ledger WHERE publisher_tenant_id = $1",
      [news.tenantId],
    );
    const micros = Math.round(Number(rows[0]?.nanos) / 1000);
    const earnings = await manage(test, "/v1/ads/earnings", { key: await platformKey(news.ctx) });
    expect(await earnings.json()).toMatchObject({ mode: "live", pending_micros: micros, available_micros: 0 });
    expect(micros).toBeGreaterThan(0);
    const nothing = await manage(test, "/v1/ads/earnings", { key: buyer.key });
    expect(await nothing.json()).toMatchObject({ pending_micros: 0, available_micros: 0, next_available: [] });
    const unscoped = await manage(test, "/v1/ads/earnings", {
      key: await platformKey(news.ctx, { scopes: ["ads:write"] }),
    });
    expect(unscoped.status).toBe(403);
  });
});
