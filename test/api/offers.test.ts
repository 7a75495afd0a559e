import { describe, expect, it } from "vitest";
import { updateCampaign } from "../../server/ads/campaigns/update-campaign";
import { CAP_HOLD_MS } from "../../server/ads/limits";
import { ManualClock } from "../../server/kernel/clock";
import { call, feedBoot, makeCampaign, makeCreative, ndjson, uploadFeed } from "../factories/ads";
import { eventually, makeShop, served, testApp } from "../factories/app";
import { arrived, eventsOf, offersFor, oneOffer, refusalOf, reportIds, type Served, send } from "../factories/calls";
import { openForFile } from "../factories/open-for-file";

const clock = new ManualClock(new Date());

const EVERYTHING = {
  brand: { name: "Nordic Feet", url: "https://nordic.example/", icon_url: "https://nordic.example/icon.png" },
  product: { title: "Alta boot", category: "Shoes > Boots" },
  price: { amount: 75, currency: "usd", original_price: 100 },
  rating: { value: 4.5, scale: 5, count: 12 },
};

const test = await openForFile(testApp({ clock }));
const shop = await makeShop(test, { creative: EVERYTHING });

const post = (body: unknown) => send(test, "/api/v1/offers", { key: shop.serverKey, body });
const get = (query: Record<string, string>) =>
  send(test, `/api/v1/offers?${new URLSearchParams(query)}`, { key: shop.serverKey });
const WITHOUT_IDS = { id: "", clickUrl: "" };

describe("200", () => {
  it("answers an offer with the fields of the specification and no other", async () => {
    const offer = await oneOffer(test, shop.serverKey);
    expect(offer).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/),
      title: "Warm boots",
      content: "Boots that stay dry",
      cta: "See them",
      clickUrl: `http://localhost:3000/api/v1/clicks/${offer.id}`,
      source: "svc",
      ad_type: "sponsored_result",
      brand: { name: "Nordic Feet", url: "https://nordic.example/", iconUrl: "https://nordic.example/icon.png" },
      product: { title: "Alta boot", category: "Shoes>Boots" },
      price: { amount: 75, currency: "USD", originalPrice: 100, discount: 25 },
      rating: { value: 4.5, scale: 5, count: 12 },
    });
  });

  it("leaves out what is unknown and still names a brand", async () => {
    const plain = await makeShop(test);
    const offer = await oneOffer(test, plain.serverKey);
    expect(Object.keys(offer)).toEqual(["id", "title", "content", "cta", "clickUrl", "source", "ad_type", "brand"]);
    expect(offer.brand).toEqual({ name: "Acme" });
  });

  it("builds clickUrl from PUBLIC_URL, whatever the Host header says", async () => {
    const offer = await oneOffer(test, shop.serverKey, { headers: { host: "evil.example" } });
    expect(offer.clickUrl).toBe(`http://localhost:3000/api/v1/clicks/${offer.id}`);
  });

  it("echoes the placement as ad_type", async () => {
    expect((await oneOffer(test, shop.serverKey, { placement: "sidebar" })).ad_type).toBe("sidebar");
  });

  it("answers one offer unless more are asked for, and never more than asked for", async () => {
    const many = await makeShop(test);
    for (const name of ["Two", "Three"]) {
      const campaign = await makeCampaign(many.ctx, { mode: "live", name });
      await makeCreative(many.ctx, campaign.id, { title: `${name} warm boots` });
    }
    await served(test, many.serverKey);
    expect((await offersFor(test, many.serverKey)).offers).toHaveLength(1);
    expect((await offersFor(test, many.serverKey, { limit: 2 })).offers).toHaveLength(2);
    const all = (await offersFor(test, many.serverKey, { limit: 8 })).offers;
    expect(new Set(all.map(({ id }) => id)).size).toBe(all.length);
    expect(all.length).toBeLessThanOrEqual(8);
  });

  it("answers no offers to a request that says nothing", async () => {
    for (const body of [{}, { query: "", context: " " }, { signals: null }, { signals: [] }]) {
      expect(await (await post(body)).json()).toEqual({ offers: [] });
    }
  });

  it("answers no offers and no reason when nothing matches", async () => {
    expect(await offersFor(test, shop.serverKey, { query: "quantum chromodynamics" })).toEqual({ offers: [] });
  });

  it("matches context and signals when the query is empty", async () => {
    expect((await offersFor(test, shop.serverKey, { query: "", context: "warm boots" })).offers).toHaveLength(1);
    const signals = [{ category: "purchase_intent", confidence: 0.9, subject: "warm boots" }];
    expect((await offersFor(test, shop.serverKey, { query: "", signals })).offers).toHaveLength(1);
  });

  it("takes geo in any case, empty, and every device", async () => {
    for (const geo of ["de", "DE", "dE", ""]) expect((await post({ query: "warm boots", geo })).status).toBe(200);
    for (const device of ["desktop", "mobile", "tablet"]) expect((await post({ device })).status).toBe(200);
  });

  it("falls back from a locale that it does not know", async () => {
    for (const locale of ["xx-YY", "klingon!!", ""]) {
      expect((await offersFor(test, shop.serverKey, { locale })).offers).toHaveLength(1);
    }
  });

  it("ignores fields that it does not know", async () => {
    expect((await offersFor(test, shop.serverKey, { no_such_field: { deep: [1] } })).offers).toHaveLength(1);
    expect((await get({ query: "warm boots", no_such_field: "1" })).status).toBe(200);
  });

  it("answers GET as it answers POST", async () => {
    const signals = [{ category: "purchase_intent", confidence: 0.5, subject: "boots", iab: { ids: ["1"] } }];
    const fields = {
      query: "warm boots",
      context: "winter",
      placement: "feed",
      device: "mobile",
      geo: "de",
      locale: "en",
    };
    const posted = (await (await post({ ...fields, limit: 2, signals })).json()) as Served;
    const got = (await (await get({ ...fields, limit: "2", signals: JSON.stringify(signals) })).json()) as Served;
    expect(got.offers).toHaveLength(1);
    expect(got.offers.map((offer) => ({ ...offer, ...WITHOUT_IDS }))).toEqual(
      posted.offers.map((offer) => ({ ...offer, ...WITHOUT_IDS })),
    );
  });

  it("records request and offer for reports", async () => {
    const asked = { geo: "de", device: "tablet", placement: "feed", locale: "PT_br" };
    const offer = await oneOffer(test, shop.serverKey, asked);
    const [row] = await arrived(test, "offers", { ids: [offer.id], count: 1 });
    expect(row).toMatchObject({
      tenant_id: shop.tenantId,
      channel_id: shop.channel.id,
      campaign_id: shop.campaign.id,
      creative_id: shop.creative.id,
      geo: "DE",
      device: "tablet",
      placement: "feed",
      locale: "pt-BR",
      mode: "live",
      house: 0,
    });
  });
});

describe("400", () => {
  it.each([
    ["limit", { limit: 0 }],
    ["limit", { limit: 9 }],
    ["limit", { limit: "3" }],
    ["limit", { limit: 2.5 }],
    ["limit", { limit: null }],
    ["geo", { geo: "DEU" }],
    ["geo", { geo: "1!" }],
    ["device", { device: "watch" }],
    ["device", { device: "" }],
    ["query", { query: 5 }],
    ["query", { query: null }],
    ["user_id", { user_id: 7 }],
    ["locale", { locale: ["en"] }],
    ["placement", { placement: "" }],
    ["placement", { placement: "side bar" }],
    ["placement", { placement: "x".repeat(101) }],
    ["signals", { signals: "boots" }],
    ["signals", { signals: Array.from({ length: 11 }, () => ({})) }],
    ["signals[0].confidence", { signals: [{ confidence: 1.5 }] }],
    ["signals[1].confidence", { signals: [{}, { confidence: -0.1 }] }],
    ["signals[0].iab.ids[0]", { signals: [{ iab: { ids: [1] } }] }],
    ["signals[0].attributes", { signals: [{ attributes: "cheap" }] }],
    ["body", []],
    ["body", "text"],
    ["body", null],
  ])("names %s in a body such as %j", async (param, body) => {
    const { status, error } = await refusalOf(await post(body));
    expect({ status, code: error.code, param: error.param }).toEqual({ status: 400, code: "invalid_request", param });
  });

  it.each([
    ["limit", { limit: "0" }],
    ["limit", { limit: "9" }],
    ["limit", { limit: "2.5" }],
    ["limit", { limit: "" }],
    ["geo", { geo: "USA" }],
    ["device", { device: "tv" }],
    ["signals", { signals: "[{" }],
    ["signals", { signals: '{"subject":"boots"}' }],
    ["signals[0].confidence", { signals: '[{"confidence":1.5}]' }],
    ["signals[0].subject", { signals: '[{"subject":"a\\u0000b"}]' }],
    ["signals[0].subject", { signals: '[{"subject":"\\ud800"}]' }],
  ])("names %s in a query string such as %j", async (param, query) => {
    const { status, error } = await refusalOf(await get({ query: "boots", ...query }));
    expect({ status, param: error.param }).toEqual({ status: 400, param });
  });

  it("refuses a parameter that is given twice", async () => {
    const path = "/api/v1/offers?query=boots&query=shoes";
    const { status, error } = await refusalOf(await send(test, path, { key: shop.serverKey }));
    expect({ status, param: error.param }).toEqual({ status: 400, param: "query" });
  });
});

describe("frequency", () => {
  it("answers frequency_cap to the 61st request of a user within 60 s, for that channel alone", async () => {
    const [busy, other] = [await makeShop(test), await makeShop(test)];
    const user_id = "hash-of-a-user";
    for (let i = 0; i < 60; i++) {
      expect(await offersFor(test, busy.serverKey, { query: "nothing", user_id })).toEqual({ offers: [] });
    }
    expect(await offersFor(test, busy.serverKey, { user_id })).toEqual({ offers: [], reason: "frequency_cap" });
    expect((await offersFor(test, busy.serverKey, { user_id: "another" })).offers).toHaveLength(1);
    expect((await offersFor(test, other.serverKey, { user_id })).offers).toHaveLength(1);
    clock.advance(60_001);
    expect((await offersFor(test, busy.serverKey, { user_id })).offers).toHaveLength(1);
  });

  it("counts a user who refuses to be remembered as well", async () => {
    const busy = await makeShop(test);
    const ask = { user_id: "u", headers: { "sec-gpc": "1" } };
    for (let i = 0; i < 60; i++) await offersFor(test, busy.serverKey, ask);
    expect((await offersFor(test, busy.serverKey, ask)).reason).toBe("frequency_cap");
  });

  it("never counts requests without a user_id together", async () => {
    for (let i = 0; i < 61; i++) await offersFor(test, shop.serverKey, { query: "nothing", user_id: "" });
    expect((await offersFor(test, shop.serverKey, { user_id: "" })).offers).toHaveLength(1);
  });

  it("holds a campaign's cap from the serving on, for each user apart", async () => {
    const caps = [{ count: 1, window_seconds: 86_400, per: "campaign" }];
    const capped = await makeShop(test, { campaign: { caps } });
    const first = await offersFor(test, capped.serverKey, { user_id: "ada" });
    expect(first.offers).toHaveLength(1);
    expect(await offersFor(test, capped.serverKey, { user_id: "ada" })).toEqual({
      offers: [],
      reason: "frequency_cap",
    });
    expect((await offersFor(test, capped.serverKey, { user_id: "bob" })).offers).toHaveLength(1);
    expect((await offersFor(test, capped.serverKey)).offers).toHaveLength(1);
  });

  it("frees the place of an offer that nobody saw, and keeps that of one that was seen", async () => {
    const caps = [{ count: 1, window_seconds: 86_400, per: "campaign" }];
    const capped = await makeShop(test, { campaign: { caps } });
    await offersFor(test, capped.serverKey, { user_id: "unseen" });
    const seen = await oneOffer(test, capped.serverKey, { user_id: "seen" });
    expect((await reportIds(test, [seen.id])).status).toBe(204);
    clock.advance(CAP_HOLD_MS + 1);
    expect((await offersFor(test, capped.serverKey, { user_id: "unseen" })).offers).toHaveLength(1);
    expect((await offersFor(test, capped.serverKey, { user_id: "seen" })).reason).toBe("frequency_cap");
  });

  it("serves no capped campaign to somebody who must not be remembered", async () => {
    const caps = [{ count: 5, window_seconds: 3600, per: "campaign" }];
    const capped = await makeShop(test, { campaign: { caps } });
    const gpc = { "sec-gpc": "1" };
    expect(await offersFor(test, capped.serverKey, { user_id: "ada", headers: gpc })).toEqual({ offers: [] });
    expect((await offersFor(test, capped.serverKey, { user_id: "ada", consent: { tcf: "CP" } })).offers).toEqual([]);
    expect((await offersFor(test, capped.serverKey, { user_id: "ada" })).offers).toHaveLength(1);
    expect((await offersFor(test, shop.serverKey, { user_id: "ada", headers: gpc })).offers).toHaveLength(1);
  });
});

describe("modes", () => {
  it("serves test campaigns on test channels alone, for nothing", async () => {
    const sandbox = await makeShop(test, { mode: "test" });
    const live = await makeCampaign(sandbox.ctx, { mode: "live", bid_micros: 9_000_000 });
    await makeCreative(sandbox.ctx, live.id, { title: "Live warm boots" });
    await served(test, sandbox.serverKey);
    const offers = (await offersFor(test, sandbox.serverKey, { limit: 8 })).offers;
    expect(offers.map(({ title }) => title)).toEqual(["Warm boots"]);
    const rows = await arrived(test, "offers", { ids: offers.map(({ id }) => id), count: 1 });
    expect(rows[0]).toMatchObject({ mode: "test", campaign_id: sandbox.campaign.id });
    expect(Number(rows[0]?.price_nanos)).toBe(0);
  });

  it("keeps a tenant's campaigns from other tenants' channels unless they are for the network", async () => {
    const [mine, other] = [await makeShop(test), await makeShop(test)];
    const offers = (await offersFor(test, mine.serverKey, { limit: 8 })).offers;
    const rows = await arrived(test, "offers", { ids: offers.map(({ id }) => id), count: offers.length });
    expect(new Set(rows.map((row) => row.buyer_tenant_id))).toEqual(new Set([mine.tenantId]));
    const network = await makeCampaign(other.ctx, { mode: "live", reach: "network" });
    await makeCreative(other.ctx, network.id, { title: "Networked skis", content: "Skis" });
    await served(test, mine.serverKey);
    const offer = await oneOffer(test, mine.serverKey, { query: "networked skis" });
    await arrived(test, "offers", { ids: [offer.id], count: 1 });
    const [row] = await eventsOf(test, "offers", [offer.id]);
    expect(row).toMatchObject({ tenant_id: mine.tenantId, buyer_tenant_id: other.tenantId, house: 0 });
  });
});

it("finds a campaign's products in the language that it comes to speak", async () => {
  const library = await makeShop(test);
  await uploadFeed(library.ctx, ndjson(feedBoot("b1", { title: "Bücher" })), { id: library.campaign.id });
  const titles = async () =>
    (await offersFor(test, library.serverKey, { query: "Buch", locale: "de-DE" })).offers.map(({ title }) => title);
  await eventually(async () => (await offersFor(test, library.serverKey, { query: "Bücher" })).offers.length === 1);
  expect(await titles()).toEqual([]);
  const targeting = { locales: ["de"] };
  await call(library.ctx, updateCampaign, { id: library.campaign.id, targeting });
  await eventually(async () => (await titles()).join() === "Bücher");
});
