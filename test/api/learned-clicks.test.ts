import { pino } from "pino";
import { describe, expect, it, vi } from "vitest";
import { termAffinityReader } from "../../server/ads/auction/load-term-affinity";
import { startCatalog } from "../../server/ads/catalog/start-catalog";
import { createChannelKey } from "../../server/ads/channels/create-channel-key";
import type { Explanation } from "../../server/ads/explain/explanation";
import { ServingState } from "../../server/ads/matching/serving-state";
import { call, makeCampaign, makeChannel, makeCreative } from "../factories/ads";
import { testAlarms } from "../factories/alarms";
import { makeShop, served, testApp } from "../factories/app";
import { arrived, caughtUp, click, manage, offersFor, platformKey, reportIds } from "../factories/calls";
import { openForFile } from "../factories/open-for-file";

const TEXT = { title: "Leather boots and sandals", content: "Made by hand" };
const BOT = { headers: { "user-agent": "curl/8.9.1" } };
const BOTH = new Set([true, false]);
const BID_MICROS = 500_000;

const test = await openForFile(testApp({ env: { SVC_RESERVE_CPC_MICROS: "1" } }));

/** A publisher with two channels, and two advertisers with the same creative and bid. */
async function scene() {
  const shop = await makeShop(test, { campaign: { bid_micros: BID_MICROS }, creative: TEXT });
  const other = await makeCampaign(shop.ctx, { mode: "live", bid_micros: BID_MICROS });
  const landing_url = "https://elsewhere.example/boots";
  const twin = await makeCreative(shop.ctx, other.id, { ...TEXT, landing_url });
  const elsewhere = await makeChannel(shop.ctx, { mode: "live" });
  const { key: otherKey } = await call(shop.ctx, createChannelKey, { id: elsewhere.id, kind: "server" });
  await served(test, shop.serverKey);
  await served(test, otherKey);
  const key = await platformKey(shop.ctx, { mode: "live", scopes: ["ads:read"] });
  return { ...shop, twin, twinUrl: landing_url, elsewhere, otherKey, key };
}
type Scene = Awaited<ReturnType<typeof scene>>;

/** Whether the twin's offer came first, for each of some requests; equal offers follow each other by chance. */
const twinFirst = async ({ serverKey, twinUrl }: Scene, query: string): Promise<Set<boolean>> => {
  const first = new Set<boolean>();
  for (let asks = 0; asks < 24; asks++) {
    const { offers } = await offersFor(test, serverKey, { query, limit: 2 });
    expect(offers).toHaveLength(2);
    first.add((await landingOf(offers[0]?.id)) === twinUrl);
  }
  return first;
};

const landingOf = async (id = "") => {
  const { rows } = await test.engines.sql.query("SELECT landing_url FROM offers WHERE id = $1", [id]);
  return rows[0]?.landing_url;
};

/** People see both offers for a query, and click the one of the twin or the other one. */
async function visits({ serverKey, twinUrl }: Scene, { query, clicks, count = 5, as = {} }: Visits): Promise<void> {
  for (let i = 0; i < count; i++) {
    const { offers } = await offersFor(test, serverKey, { query, limit: 2 });
    const address = `203.0.${i}.7`;
    const seen = await reportIds(
      test,
      offers.map(({ id }) => id),
      { address, ...as },
    );
    expect(seen.status).toBe(204);
    for (const { id } of offers) {
      if (((await landingOf(id)) === twinUrl) === (clicks === "twin")) await click(test, id, { address, ...as });
    }
  }
}

interface Visits {
  query: string;
  clicks: "twin" | "other";
  count?: number;
  as?: object;
}

/** What every process does every five minutes. */
async function refresh(): Promise<void> {
  await caughtUp(test);
  const state = test.app.ads.catalog.snapshot();
  if (!(state instanceof ServingState)) throw new Error("The snapshot is the live state.");
  state.putTermAffinity(await termAffinityReader(test.engines.clickhouse)(test.clock.now()));
}

const explained = async ({ key, channel, twin }: Scene, query: string, channelId = channel.id) => {
  const body = { channel_id: channelId, query, limit: 2 };
  const { fates } = (await (await manage(test, "/v1/ads/explain", { key, body })).json()) as Explanation;
  const fate = fates.find(({ creative_id }) => creative_id === twin.id);
  const other = fates.find(({ creative_id, owner }) => owner === "own" && creative_id !== twin.id);
  return { twin: fate?.value?.term_affinity, other: other?.value?.term_affinity, price: fate?.price_micros };
};

/** The affinity of the twin and boots in a process that starts now. */
async function inAnotherProcess({ channel, twin }: Scene): Promise<number | undefined> {
  const { sql, clickhouse } = test.engines;
  const shared = { automaticReview: true, channelRefs: test.app.ads.channelRefs, log: pino({ level: "silent" }) };
  const catalog = await startCatalog({ sql, clickhouse, clock: test.clock, alarms: testAlarms({ sql }), ...shared });
  try {
    return await vi.waitFor(() => {
      const known = catalog.snapshot().termAffinity.forRequest(channel.id, ["boot"]);
      expect(known).toBeDefined();
      return known?.of(twin.id);
    }, 30_000);
  } finally {
    await catalog.stop();
  }
}

describe("clicks of people", () => {
  it("raise an item for the words for which it was clicked, there more than elsewhere, and not for other words", async () => {
    const shop = await scene();
    expect(await twinFirst(shop, "leather boots")).toEqual(BOTH);
    expect(await explained(shop, "boots")).toMatchObject({ twin: 1, other: 1 });
    await visits(shop, { query: "boots", clicks: "twin" });
    await visits(shop, { query: "sandals", clicks: "other" });
    await refresh();
    expect(await twinFirst(shop, "boots")).toEqual(new Set([true]));
    expect(await twinFirst(shop, "sandals")).toEqual(new Set([false]));
    expect(await twinFirst(shop, "leather")).toEqual(BOTH);
    const [here, there] = [await explained(shop, "boots"), await explained(shop, "boots", shop.elsewhere.id)];
    expect(here.twin).toBeGreaterThan(1.2);
    expect(here.other).toBeLessThan(1);
    expect(there.twin).toBeGreaterThan(1);
    expect(there.twin).toBeLessThan(here.twin ?? 0);
    expect(await explained(shop, "leather")).toMatchObject({ twin: 1, other: 1 });
    // The twin needs less than its rival's bid to keep its place.
    const least = (BID_MICROS * (here.other ?? 0)) / (here.twin ?? 1);
    expect(Math.abs((here.price ?? 0) - least)).toBeLessThanOrEqual(1);
    expect(await inAnotherProcess(shop)).toBeCloseTo(here.twin ?? 0, 2);
  });
});

describe("clicks of bots", () => {
  it("change nothing, however many they are", async () => {
    const shop = await scene();
    await visits(shop, { query: "boots", clicks: "twin", count: 30, as: BOT });
    const { offers } = await offersFor(test, shop.serverKey, { query: "boots", limit: 2 });
    for (const { id } of offers) await click(test, id, BOT);
    await refresh();
    expect(await explained(shop, "boots")).toMatchObject({ twin: 1, other: 1 });
    expect(await twinFirst(shop, "boots")).toEqual(BOTH);
  });
});

describe("what is stored to learn from", () => {
  it("is the place of an offer and the wanted words that items have, at most four, and no other word", async () => {
    const shop = await scene();
    const row = async (ask: Record<string, unknown>) => {
      const { offers } = await offersFor(test, shop.serverKey, { limit: 2, ...ask });
      const rows = await arrived(test, "offers", { ids: offers.map(({ id }) => id), count: 2 });
      const byPlace = rows.sort((a, b) => Number(a.position) - Number(b.position));
      expect(byPlace.map(({ offer_id, position }) => [offer_id, position])).toEqual([
        [offers[0]?.id, 0],
        [offers[1]?.id, 1],
      ]);
      return byPlace[1]?.terms;
    };
    expect(await row({ query: "leather boots for anna miller" })).toEqual(["leather", "boot"]);
    expect(await row({ query: "leather boots", headers: { "sec-gpc": "1" } })).toEqual([]);
    expect(await row({ query: "leather boots", consent: { tcf: "unreadable" } })).toEqual([]);
    expect(await row({ query: "", context: "Leather boots and sandals" })).toEqual([]);
  });
});
