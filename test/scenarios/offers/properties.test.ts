import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { z } from "zod";
import { secondPriceNanos } from "../../../server/ads/auction/second-price";
import { decideOffers } from "../../../server/ads/ranking/decide-offers";
import { DecisionMemory } from "../../../server/ads/ranking/decision-memory";
import { productKey } from "../../../server/ads/serving/product-key";
import { isLongRun } from "../../factories/sampled";
import { requestOf, Scenario, stateOf } from "./scenario";

const WORDS = ["red", "running", "shoes", "warm", "socks", "winter", "jacket", "light", "trail", "boots"];
const NOW = Date.parse("2026-11-20T12:00:00Z");
const LOW_RESERVE = { cpcMicros: 1, cpmMicros: 1 };

const text = (maxLength: number) =>
  fc.array(fc.constantFrom(...WORDS), { minLength: 1, maxLength }).map((words) => words.join(" "));
const some = <T>(...values: T[]) => fc.subarray(values);
const category = fc.constantFrom("shoes", "shoes>trail", "clothes", "clothes>winter");

const campaign = fc.record(
  {
    advertiser: fc.constantFrom("ada", "bob", "cyd"),
    tenant: fc.constantFrom("publisher", "publisher", "other"),
    mode: fc.constantFrom("live", "live", "live", "test"),
    reach: fc.constantFrom("tenant", "network"),
    status: fc.constantFrom("active", "active", "active", "paused", "ended"),
    model: fc.constantFrom("cpc", "cpm"),
    bid_micros: fc.integer({ min: 1, max: 50_000_000 }),
    budget_spent: fc.constantFrom(false, false, false, true),
    pass_rate: fc.constantFrom(1, 1, 0.5, 0),
    starts_at: fc.constantFrom(undefined, undefined, "2026-11-19T00:00:00Z", "2026-11-21T00:00:00Z"),
    ends_at: fc.constantFrom(undefined, undefined, "2026-11-20T11:00:00Z", "2026-11-22T00:00:00Z"),
    targeting: fc.record({
      geos: some("DE", "US"),
      devices: some("mobile", "desktop"),
      locales: some("en", "de"),
      placements: some("sponsored_result", "sidebar"),
    }),
    keywords: fc.array(fc.record({ text: text(2), match: fc.constantFrom("exact", "phrase", "broad", "negative") }), {
      maxLength: 2,
    }),
    creatives: fc.array(fc.record({ title: text(4), content: text(6), category }), { maxLength: 3 }),
    products: fc.array(
      fc.record(
        { title: text(4), content: text(6), category, in_stock: fc.boolean(), group: fc.constantFrom("one", "two") },
        { requiredKeys: ["title", "content", "category", "in_stock"] },
      ),
      { maxLength: 3 },
    ),
  },
  { requiredKeys: ["advertiser", "creatives", "products", "bid_micros", "model"] },
);

const network = fc.record({
  unapproved: some("ada", "cyd"),
  unverified: some("other"),
  house: some("other"),
  balance_micros: fc.record({ other: fc.constantFrom<number>(0, 20_000_000, 1_000_000_000) }),
});

const world = fc.record({
  network,
  campaigns: fc.array(campaign, { minLength: 1, maxLength: 8 }),
  channel: fc.record({
    blocked_categories: some("clothes>winter", "shoes"),
    blocked_advertisers: some("bob"),
    network: fc.constantFrom("all", "all", "approved", "own"),
    approved_advertisers: some("ada", "bob"),
  }),
  query: text(3),
  limit: fc.integer({ min: 1, max: 8 }),
  geo: fc.constantFrom("", "DE", "US"),
  device: fc.constantFrom("mobile", "desktop"),
  seed: fc.constantFrom("", "one", "two", "three"),
});
type World = typeof world extends fc.Arbitrary<infer T> ? T : never;

/** A keyword selects two creatives, of which the second has only the most frequent word of the query. */
const ONE_WORD_OF_SELECTED = {
  network: { unapproved: [], unverified: [], house: [], balance_micros: { other: 0 } },
  campaigns: [
    {
      advertiser: "ada",
      model: "cpc",
      bid_micros: 1,
      keywords: [{ text: "light", match: "phrase" }],
      creatives: [
        { title: "light", content: "boots red", category: "shoes" },
        { title: "red", content: "light red", category: "clothes" },
      ],
      products: [],
    },
  ],
  channel: { blocked_categories: [], blocked_advertisers: [], network: "all", approved_advertisers: [] },
  query: "shoes light boots",
  limit: 1,
  geo: "",
  device: "mobile",
  seed: "",
} as unknown as World;
type Campaigns = z.output<typeof Scenario>["campaigns"];

function enact({ campaigns, channel, network, query, limit, geo, device, seed }: World) {
  const named = campaigns.map(({ creatives, products, ...rest }, i) => ({
    ...Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== undefined)),
    id: `campaign-${i}`,
    creatives: creatives.map((creative, j) => ({ ...creative, id: `creative-${i}-${j}` })),
    products: products.map((product, j) => ({ ...product, id: `product-${i}-${j}` })),
  }));
  const request = { query, limit, geo, device };
  const about = "random";
  const scenario = Scenario.parse({
    about,
    channel,
    network,
    campaigns: named,
    requests: [{ request, seed, offers: [] }],
  });
  const asked = requestOf(scenario.requests[0]?.request as Parameters<typeof requestOf>[0]);
  const decide = (traced = false) => decideOffers(stateOf(scenario), asked, { now: new Date(NOW), seed, traced });
  return { scenario, asked, decide };
}

/** The filters once more, from the scenario's own fields and by nothing that serving uses. */
function mayServe(scenario: Scenario, campaigns: Campaigns[number], request: { geo: string; device: string }): boolean {
  const { targeting } = campaigns;
  const allows = (list: string[], value: string) => list.length === 0 || list.includes(value);
  return (
    (campaigns.tenant === "publisher" || mayServeElsewhere(scenario, campaigns)) &&
    campaigns.mode === "live" &&
    campaigns.status === "active" &&
    !campaigns.budget_spent &&
    campaigns.pass_rate > 0 &&
    (campaigns.starts_at === undefined || Date.parse(campaigns.starts_at) <= NOW) &&
    (campaigns.ends_at === undefined || Date.parse(campaigns.ends_at) > NOW) &&
    !scenario.channel.blocked_advertisers.includes(campaigns.advertiser ?? "") &&
    allows(targeting.geos, request.geo) &&
    allows(targeting.devices, request.device) &&
    allows(targeting.locales, "en") &&
    allows(targeting.placements, "sponsored_result")
  );
}

/** On a channel of another tenant: what its publisher chose and what the buyer has. */
function mayServeElsewhere({ channel, network }: Scenario, campaigns: Campaigns[number]): boolean {
  const { advertiser = "", tenant, model, bid_micros } = campaigns;
  const isChosen =
    channel.network === "all" || (channel.network === "approved" && channel.approved_advertisers.includes(advertiser));
  const isReady =
    !network.unverified.includes(tenant) &&
    !network.unapproved.includes(advertiser) &&
    (network.balance_micros[tenant] ?? 0) * 1000 >= (model === "cpc" ? bid_micros * 1000 : bid_micros);
  return campaigns.reach === "network" && isChosen && (network.house.includes(tenant) || isReady);
}

const RUNS = { numRuns: isLongRun ? 400 : 120 };

describe("for any campaigns and request", () => {
  test("no filter is ever bypassed", () => {
    fc.assert(
      fc.property(world, (given) => {
        const { scenario, asked, decide } = enact(given);
        for (const { campaign, item } of decide().candidates) {
          const own = scenario.campaigns.find(({ id }) => id === campaign.id) as Campaigns[number];
          expect(mayServe(scenario, own, asked)).toBe(true);
          const { in_stock = true, category = "" } = [...own.creatives, ...own.products].find(
            ({ id }) => id === item.id,
          ) ?? { in_stock: false };
          expect(in_stock || item.kind === "creative").toBe(true);
          for (const blocked of scenario.channel.blocked_categories) {
            expect(category === blocked || category.startsWith(`${blocked}>`)).toBe(false);
          }
          for (const { text: keyword, match } of own.keywords) {
            const isExcluded = keyword.split(" ").every((word) => asked.query.split(" ").includes(word));
            expect(match === "negative" && isExcluded).toBe(false);
          }
        }
      }),
      RUNS,
    );
  });

  test("tracing changes no winner, and the same seed gives the same answer", () => {
    fc.assert(
      fc.property(world, (given) => {
        const { decide } = enact(given);
        const plain = decide().candidates;
        expect(decide(true).candidates).toEqual(plain);
        expect(decide().candidates).toEqual(plain);
      }),
      { ...RUNS, examples: [[ONE_WORD_OF_SELECTED]] },
    );
  });

  test("a remembered decision equals a fresh one, for every seed and after every change", () => {
    fc.assert(
      fc.property(world, fc.constantFrom("spent", "removed", "paced", "paused"), (given, change) => {
        const { scenario, asked } = enact(given);
        const state = stateOf(scenario);
        const memory = new DecisionMemory();
        const now = new Date(NOW);
        const expectEqual = () => {
          for (const seed of ["", "one", "two", "three", "", "one", "two", "three"]) {
            const fresh = decideOffers(state, asked, { now, seed });
            expect(decideOffers(state, asked, { now, seed, memory })).toEqual(fresh);
          }
        };
        expectEqual();
        const [first] = decideOffers(state, asked, { now, seed: "one" }).candidates;
        if (!first) return;
        const { campaign, item } = first;
        if (change === "spent") state.updateSpend({ ...campaign, budgetSpent: true });
        if (change === "removed") state.removeItem(item.id);
        if (change === "paced") state.updateSpend({ ...campaign, passRate: campaign.passRate < 1 ? 1 : 0 });
        if (change === "paused") state.putCampaign({ ...campaign, status: "paused" });
        expectEqual();
      }),
      RUNS,
    );
  });

  test("a higher bid never costs a place", () => {
    fc.assert(
      fc.property(world, fc.nat(), fc.integer({ min: 2, max: 1000 }), (given, pick, factor) => {
        const { decide } = enact(given);
        const before = decide().candidates;
        const chosen = before[pick % Math.max(1, before.length)];
        if (!chosen) return;
        const raised = given.campaigns.map((one, i) =>
          `campaign-${i}` === chosen.campaign.id ? { ...one, bid_micros: one.bid_micros * factor } : one,
        );
        // A campaign whose balance does not cover its bid does not serve on the channels of others.
        const balance_micros = { other: given.network.balance_micros.other * factor };
        const network = { ...given.network, balance_micros };
        const after = enact({ ...given, network, campaigns: raised }).decide().candidates;
        const placeOf = (list: typeof before) => list.findIndex(({ item }) => item.id === chosen.item.id);
        expect(placeOf(after)).toBeGreaterThanOrEqual(0);
        expect(placeOf(after)).toBeLessThanOrEqual(placeOf(before));
      }),
      RUNS,
    );
  });

  test("an equal that fits better comes first", () => {
    fc.assert(
      fc.property(text(3), fc.integer({ min: 1, max: 1_000_000 }), fc.boolean(), (query, bid_micros, isFirst) => {
        const fits = { title: query, content: query, category: "shoes" };
        const lacks = { title: `${query.split(" ")[0]} gloves`, content: "woollen", category: "shoes" };
        const titles = isFirst ? [fits, lacks] : [lacks, fits];
        const campaigns = titles.map((creative, i) => ({
          advertiser: i === 0 ? "ada" : "cyd",
          model: "cpc" as const,
          bid_micros,
          creatives: [creative],
          products: [],
        }));
        const none = {
          blocked_categories: [],
          blocked_advertisers: [],
          network: "all" as const,
          approved_advertisers: [],
        };
        const network = { unapproved: [], unverified: [], house: [], balance_micros: { other: 0 } };
        const given = {
          campaigns,
          channel: none,
          network,
          query,
          limit: 8,
          geo: "",
          device: "desktop",
          seed: "",
        } as World;
        expect(enact(given).decide().candidates[0]?.item.title).toBe(fits.title);
      }),
      RUNS,
    );
  });

  test("nobody pays more than the bid, and the price does not depend on the winner's own bid", () => {
    fc.assert(
      fc.property(world, (given) => {
        const before = enact(given).decide().candidates;
        for (const [place, winner] of before.entries()) {
          const price = secondPriceNanos(winner, before, LOW_RESERVE);
          const bidNanos = Number(winner.campaign.bidMicros) * (winner.campaign.model === "cpm" ? 1 : 1000);
          expect(price).toBeGreaterThan(0);
          expect(price).toBeLessThanOrEqual(bidNanos);
          const raised = given.campaigns.map((one, i) =>
            `campaign-${i}` === winner.campaign.id ? { ...one, bid_micros: one.bid_micros + 1 } : one,
          );
          const after = enact({ ...given, campaigns: raised }).decide().candidates;
          const isSameOrder = after.every(({ item }, i) => item.id === before[i]?.item.id);
          const again = after[place];
          // At its bid already, the price is the bid itself.
          if (isSameOrder && again && price < bidNanos) expect(secondPriceNanos(again, after, LOW_RESERVE)).toBe(price);
        }
      }),
      RUNS,
    );
  });

  test("an advertiser comes again only behind everything that is new and fits as well, and a poor fit only behind those", () => {
    fc.assert(
      fc.property(world, (given) => {
        const { decide, asked } = enact(given);
        const { candidates, fates = [] } = decide(true);
        const fits = new Map(fates.map(({ item, parts }) => [item, parts?.isAboveFloor ?? false]));
        const products = new Set<string>();
        const advertisers = new Set<string>();
        let last = 0;
        for (const { campaign, item } of candidates.slice(0, asked.limit)) {
          const repeats = advertisers.has(campaign.advertiserId) ? 1 : 0;
          const tier = products.has(productKey(item)) ? 4 : repeats + (fits.get(item) ? 0 : 2);
          expect(tier).toBeGreaterThanOrEqual(last);
          last = tier;
          advertisers.add(campaign.advertiserId);
          products.add(productKey(item));
        }
      }),
      RUNS,
    );
  });
});
