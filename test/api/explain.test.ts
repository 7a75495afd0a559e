import { expect, it, vi } from "vitest";
import type { Explanation } from "../../server/ads/explain/explanation";
import { FEATURES } from "../../server/ads/ranking/fit-features";
import { thresholdOf } from "../../server/ads/ranking/fit-model";
import {
  feedBoot,
  makeAdvertiser,
  makeCampaign,
  makeChannel,
  makeCreative,
  ndjson,
  uploadFeed,
} from "../factories/ads";
import { makeShop, makeTenant, served, testApp } from "../factories/app";
import { manage, offersFor, platformKey } from "../factories/calls";
import { openForFile } from "../factories/open-for-file";

const test = await openForFile(testApp());
const shop = await makeShop(test, { creative: { title: "Warm boots for winter" } });
const key = await platformKey(shop.ctx, { mode: "live", scopes: ["ads:read"] });
const paused = await makeCampaign(shop.ctx, { mode: "live", name: "Paused", status: "paused" });
await makeCreative(shop.ctx, paused.id, { title: "Warm boots on pause" });
const other = await makeCampaign(shop.ctx, { mode: "live", name: "Socks" });
await makeCreative(shop.ctx, other.id, { title: "Warm socks" });
const hiking = await makeCampaign(shop.ctx, { mode: "live", name: "Hiking" });
await makeCreative(shop.ctx, hiking.id, { title: "Waterproof hiking boots" });
const stranger = await makeTenant(test);
const foreign = await makeCampaign(stranger, {
  mode: "live",
  reach: "network",
  name: "Secret",
  bid_micros: 7_654_321,
});
const strangerKey = await platformKey(stranger, { mode: "live", scopes: ["ads:read"] });
await makeCreative(stranger, foreign.id, { title: "Warm boots by others" });
const hidden = await makeCampaign(stranger, { mode: "live", name: "Hidden" });
await makeCreative(stranger, hidden.id, { title: "Warm boots nobody sees" });
await served(test, shop.serverKey);

const explain = async (body: Record<string, unknown>, as = key) => {
  const response = await manage(test, "/v1/ads/explain", { key: as, body: { channel_id: shop.channel.id, ...body } });
  return { status: response.status, body: (await response.json()) as Explanation };
};

it("tells the offers that serving gives, in their order", async () => {
  const request = { query: "warm boots", limit: 3 };
  const { offers } = await offersFor(test, shop.serverKey, request);
  const { body } = await explain(request);
  const offered = body.fates.filter(({ outcome }) => outcome === "offered");
  expect(offered.map(({ title }) => title)).toEqual(offers.map(({ title }) => title));
  expect(offered.length).toBeGreaterThanOrEqual(2);
});

it("tells why a campaign lost and what made up the value of one that won", async () => {
  const { body } = await explain({ query: "warm boots", limit: 3 });
  const paused = body.fates.find(({ title }) => title === "Warm boots on pause");
  expect(paused).toMatchObject({ outcome: "left_out", reason: "status", explanation: "The campaign is not active." });
  const own = body.fates.find(({ creative_id }) => creative_id === shop.creative.id);
  expect(own).toMatchObject({ outcome: "offered", owner: "own", campaign_id: shop.campaign.id });
  const { value } = own ?? {};
  expect(value?.model).toBe("cpc");
  expect(value?.value_micros).toBeCloseTo(
    (value?.relevance ?? 0) * (value?.click_rate ?? 0) * (value?.exploration ?? 0) * (value?.bid_micros ?? 0) * 1000,
    3,
  );
  expect(own?.price_micros).toBeLessThanOrEqual(shop.campaign.bid_micros);
});

it("tells how the request was read, and what its probability consists of", async () => {
  const { body } = await explain({ query: "warm bootz please" });
  const { reading } = body;
  expect(reading).toMatchObject({ source: "query", strictness: "balanced", threshold: thresholdOf("balanced") });
  expect(reading?.words).toEqual([
    { word: "warm", written: "warm", found: "known", wanted: true },
    { word: "boots", written: "bootz", found: "corrected", wanted: true },
  ]);
  expect(reading?.features.map(({ feature }) => feature)).toEqual(FEATURES);
  for (const { description } of reading?.features ?? []) expect(description).toMatch(/\.$/);
  const logOdds = ({ probability, features }: NonNullable<Explanation["reading"]>) => {
    const odds = (probability ?? 0) / (1 - (probability ?? 0));
    return Math.log(odds) - features.reduce((sum, { part }) => sum + part, 0);
  };
  const other = await explain({ query: "why do my boots smell of volcanoes" });
  if (!reading || !other.body.reading) throw new Error("Both requests have meaningful words.");
  // What is left is the constant of the model, the same for every request.
  expect(logOdds(reading)).toBeCloseTo(logOdds(other.body.reading), 6);
});

it("shows the words of the request, not the forms under which they are looked up", async () => {
  const { body } = await explain({ query: "managing hikingboots" });
  expect(body.reading?.words.map(({ word, written, found }) => [word, written, found])).toEqual([
    ["managing", "managing", "unknown"],
    ["hiking", "hikingboots", "split"],
    ["boots", "hikingboots", "split"],
  ]);
});

it("gives no probability if the page decided", async () => {
  const { body } = await explain({ context: "Warm boots for winter walks" });
  expect(body.reading).toMatchObject({ source: "context", probability: null, features: [], coverage_threshold: 0.3 });
  expect(body.reading?.words).toContainEqual({ word: "boots", written: "boots", found: "known", wanted: true });
  expect(body.fates.filter(({ outcome }) => outcome === "offered").length).toBeGreaterThan(0);
});

it("tells a request that is unlikely to fit from an item that covers much less than the best one", async () => {
  const reasonsFor = async (query: string) => {
    const { body } = await explain({ query });
    return Object.fromEntries(body.fates.map(({ title, reason }) => [title, reason]));
  };
  expect(await reasonsFor("why do my boots smell of volcanoes")).toMatchObject({
    "Warm boots for winter": "unlikely_fit",
  });
  expect(await reasonsFor("waterproof hiking boots")).toMatchObject({
    "Waterproof hiking boots": null,
    "Warm boots for winter": "too_little_in_common",
  });
});

it("follows the strictness of the channel", async () => {
  const channel = await makeChannel(shop.ctx, { mode: "live", strictness: "strict" });
  const state = await vi.waitFor(async () => {
    const answer = await explain({ query: "warm boots", channel_id: channel.id });
    expect(answer.status).toBe(200);
    return answer.body.reading;
  }, 30_000);
  expect(state).toMatchObject({ strictness: "strict", threshold: thresholdOf("strict") });
});

it("tells nothing about campaigns of others but what the page would show", async () => {
  const { body } = await explain({ query: "warm boots", limit: 3 });
  const text = JSON.stringify(body);
  for (const secret of ["Secret", "Hidden", "nobody sees", "7654321"]) expect(text).not.toContain(secret);
  const foreign = body.fates.find(({ owner }) => owner === "network");
  expect(foreign).toMatchObject({ title: "Warm boots by others", campaign_id: null, value: null, price_micros: null });
  expect(body.network_left_out).toBe(1);
});

it("says why nothing is offered for a question that nothing fits", async () => {
  const { body } = await explain({ query: "why do my boots smell of volcanoes" });
  expect(body.fates.filter(({ outcome }) => outcome === "offered")).toEqual([]);
  const { reading } = body;
  expect(reading?.needed_coverage).toBeNull();
  expect(reading?.probability).toBeLessThan(reading?.threshold ?? 0);
});

it("mints, counts and remembers nothing", async () => {
  const count = async () => {
    const { rows } = await test.engines.sql.query(
      "SELECT (SELECT count(*) FROM offers) + (SELECT count(*) FROM signals) AS n",
    );
    return rows[0]?.n;
  };
  const before = await count();
  await explain({ query: "warm boots", user_id: "u1", signals: [{ category: "purchase_intent", subject: "boots" }] });
  expect(await count()).toBe(before);
});

it("keeps to one campaign when asked to", async () => {
  const { body } = await explain({ query: "warm boots", campaign_id: shop.campaign.id });
  expect([...new Set(body.fates.map(({ campaign_id, owner }) => `${owner} ${campaign_id}`))]).toEqual([
    `own ${shop.campaign.id}`,
  ]);
});

it("refuses channels of others, keys without the scope and unknown fields", async () => {
  const stranger = await makeTenant(test);
  const theirs = await platformKey(stranger, { mode: "live", scopes: ["ads:read"] });
  expect((await explain({ query: "boots" }, theirs)).status).toBe(404);
  const testKey = await platformKey(shop.ctx, { mode: "test", scopes: ["ads:read"] });
  expect((await explain({ query: "boots" }, testKey)).status).toBe(404);
  const writer = await platformKey(shop.ctx, { mode: "live", scopes: ["ads:write"] });
  expect((await explain({ query: "boots" }, writer)).status).toBe(403);
  expect(await explain({ querry: "boots" })).toMatchObject({ status: 400, body: { error: { param: "querry" } } });
});

it("tells an advertiser without a channel how a campaign does on other publishers' channels", async () => {
  const asked = await manage(test, "/v1/ads/explain", { key, body: { query: "warm boots", limit: 3 } });
  const { channel_id, fates } = (await asked.json()) as Explanation;
  expect([asked.status, channel_id]).toEqual([200, null]);
  const own = fates.find(({ creative_id }) => creative_id === shop.creative.id);
  expect(own).toMatchObject({ outcome: "left_out", reason: "other_tenant" });
  expect(fates.filter(({ owner }) => owner !== "own").every(({ outcome }) => outcome === "offered")).toBe(true);
  const theirs = await manage(test, "/v1/ads/explain", { key: strangerKey, body: { query: "warm boots" } });
  const { fates: network } = (await theirs.json()) as Explanation;
  const [secret] = network.filter(({ campaign_name }) => campaign_name === "Secret");
  expect(secret).toMatchObject({ owner: "own", outcome: "offered", rank: 1 });
  expect(network.some(({ campaign_id }) => campaign_id === shop.campaign.id)).toBe(false);
});

it("names the brand of every offer, and gives the pictures of own products alone", async () => {
  const lamps = await makeTenant(test);
  const advertiser = await makeAdvertiser(lamps, { mode: "live", name: "Harbor Light" });
  const campaign = await makeCampaign(lamps, { mode: "live", reach: "network", advertiser_id: advertiser.id });
  const image_link = "https://cdn.example/brass.jpg";
  const brass = feedBoot("1", { title: "Brass lantern", brand: "Fjordlys", image_link });
  await uploadFeed(lamps, ndjson(brass, feedBoot("2", { title: "Tin lantern" })), { id: campaign.id });
  await served(test, shop.serverKey);
  const shownTo = async (as: string) => {
    const asked = await manage(test, "/v1/ads/explain", { key: as, body: { query: "brass lantern" } });
    const { fates } = (await asked.json()) as Explanation;
    return fates.map((fate) => [fate.title, fate.owner, fate.brand_name, fate.image_link]);
  };
  const own = await shownTo(await platformKey(lamps, { mode: "live", scopes: ["ads:read"] }));
  expect(own).toContainEqual(["Brass lantern", "own", "Fjordlys", image_link]);
  expect(own).toContainEqual(["Tin lantern", "own", "Harbor Light", null]);
  // A browser would fetch the picture from the other tenant's server.
  expect(await shownTo(strangerKey)).toContainEqual(["Brass lantern", "network", "Fjordlys", null]);
});
