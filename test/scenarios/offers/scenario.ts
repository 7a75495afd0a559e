import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { z } from "zod";
import { ClickRates } from "../../../server/ads/auction/click-rates";
import { ServingState } from "../../../server/ads/matching/serving-state";
import type { NetworkBuyer } from "../../../server/ads/network/network-blocks";
import { foldCategory } from "../../../server/ads/serving/category-path";
import type { Neighbours } from "../../../server/ads/serving/neighbours";
import type { OfferRequest } from "../../../server/ads/serving/offer-request";
import { Signal } from "../../../server/ads/signals/signal";
import { steeringSignals } from "../../../server/ads/signals/steering-signals";
import { fold } from "../../../server/guard/text/tokenizer";

const list = z.array(z.string()).default([]);
const TargetingFields = {
  geos: list,
  devices: list,
  locales: list,
  placements: list,
  categories: list,
  channels: list,
};
const Item = z.strictObject({
  id: z.string(),
  title: z.string(),
  content: z.string().default(""),
  category: z.string().optional(),
  brand: z.string().optional(),
  gtin: z.string().optional(),
  group: z.string().optional(),
  google_category: z.string().optional(),
  price: z.strictObject({ amount: z.number(), currency: z.string() }).optional(),
  in_stock: z.boolean().default(true),
  details: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])).default({}),
});
const Cap = z.strictObject({
  count: z.int(),
  window_seconds: z.int(),
  per: z.enum(["campaign", "advertiser", "channel"]).default("campaign"),
});
const Campaign = z.strictObject({
  id: z.string(),
  advertiser: z.string().optional(),
  tenant: z.string().default("publisher"),
  mode: z.enum(["test", "live"]).default("live"),
  reach: z.enum(["tenant", "network"]).default("tenant"),
  status: z.enum(["draft", "active", "paused", "ended"]).default("active"),
  model: z.enum(["cpc", "cpm"]).default("cpc"),
  bid_micros: z.int().default(1_000_000),
  starts_at: z.string().optional(),
  ends_at: z.string().optional(),
  budget_spent: z.boolean().default(false),
  pass_rate: z.number().min(0).max(1).default(1),
  caps: z.array(Cap).default([]),
  targeting: z.strictObject(TargetingFields).prefault({}),
  keywords: z
    .array(z.strictObject({ text: z.string(), match: z.enum(["exact", "phrase", "broad", "negative"]) }))
    .default([]),
  creatives: z.array(Item).default([]),
  products: z.array(Item).default([]),
});
const Request = z.strictObject({
  query: z.string().default(""),
  context: z.string().default(""),
  placement: z.string().default("sponsored_result"),
  locale: z.string().default("en"),
  device: z.enum(["desktop", "mobile", "tablet"]).default("desktop"),
  geo: z.string().default(""),
  limit: z.int().default(8),
  signals: z
    .array(
      z.strictObject({
        category: z.string().optional(),
        confidence: z.number().optional(),
        subject: z.string().optional(),
        attributes: Signal.shape.attributes,
        iab: z.strictObject({ type: z.string(), version: z.string(), ids: list }).optional(),
        /** How long ago it was shown. */
        age_hours: z.number().default(0),
      }),
    )
    .default([]),
});

/** One behaviour of the ranking: a catalogue, and requests with the ids that must come back, in order. */
export const Scenario = z.strictObject({
  about: z.string(),
  channel: z
    .strictObject({
      mode: z.enum(["test", "live"]).default("live"),
      categories: list,
      blocked_categories: list,
      blocked_advertisers: list,
      network: z.enum(["all", "approved", "own"]).default("all"),
      approved_advertisers: list,
      strictness: z.enum(["relaxed", "balanced", "strict"]).default("balanced"),
      suspended: z.boolean().default(false),
      origins: list,
    })
    .prefault({}),
  /** What decides about network campaigns: by default every buyer is verified and rich, and every advertiser approved. */
  network: z
    .strictObject({
      unapproved: list.describe("Advertisers"),
      unverified: list.describe("Tenants"),
      house: list.describe("Tenants"),
      blocking: list.describe("Advertisers that block the channel"),
      blocked_domains: z.record(z.string(), z.array(z.string())).default({}).describe("By advertiser"),
      balance_micros: z.record(z.string(), z.int()).default({}).describe("By tenant"),
    })
    .prefault({}),
  campaigns: z.array(Campaign),
  /** Counted events of the last 30 days by item id, which predict click rates. */
  seen: z.record(z.string(), z.strictObject({ impressions: z.int(), clicks: z.int() })).default({}),
  reserve: z.strictObject({ cpcMicros: z.int(), cpmMicros: z.int() }).default({ cpcMicros: 0, cpmMicros: 0 }),
  requests: z.array(
    z.strictObject({
      request: Request,
      now: z.string().default("2026-11-20T12:00:00Z"),
      /** Names the request; without one equals stand in the order of their ids. */
      seed: z.string().default(""),
      offers: z.array(z.string()),
      /** What a semantic engine says: the cosines of the items near the query, of which .6 is the least. */
      near: z.record(z.string(), z.number()).optional(),
      /** Whose frequency caps speak; without one none do. */
      user: z.string().default(""),
      /** Items whose offers, of this request, are seen at once. */
      seen: list,
      /** Nanos for one counted event, by item id. */
      prices: z.record(z.string(), z.int()).default({}),
      /** Why something was left out, by campaign or item id, as a traced decision tells it. */
      reasons: z.record(z.string(), z.string()).default({}),
    }),
  ),
});
export type Scenario = z.output<typeof Scenario>;
type CampaignOf = Scenario["campaigns"][number];
type ItemOf = CampaignOf["creatives"][number];

export const CHANNEL_ID = "channel";
const COSINE_MIN = 0.6;

/** The neighbours that a semantic engine would find. */
export function neighboursOf(near: Scenario["requests"][number]["near"]): Neighbours | undefined {
  if (!near) return undefined;
  const found = Object.entries(near).sort(([, a], [, b]) => b - a);
  return {
    ids: found.map(([id]) => id),
    cosines: Float32Array.from(found, ([, cosine]) => cosine),
    cosineMin: COSINE_MIN,
  };
}

export function readScenarios(dir: string): { name: string; scenario: Scenario }[] {
  const files = readdirSync(dir).filter((file) => file.endsWith(".json"));
  return files.sort().map((file) => ({
    name: path.basename(file, ".json"),
    scenario: Scenario.parse(JSON.parse(readFileSync(path.join(dir, file), "utf8"))),
  }));
}

export const requestOf = ({ signals, ...request }: Scenario["requests"][number]["request"]): OfferRequest => ({
  ...request,
  signals: steeringSignals(signals.map(({ age_hours, ...signal }) => ({ signal, ageMs: age_hours * HOUR_MS }))),
  channelId: CHANNEL_ID,
});

const HOUR_MS = 60 * 60 * 1000;

export function stateOf({
  channel,
  campaigns,
  network,
  seen,
}: Pick<Scenario, "channel" | "campaigns" | "network" | "seen">): ServingState {
  const state = new ServingState();
  state.putChannel({
    id: CHANNEL_ID,
    tenantId: "publisher",
    mode: channel.mode,
    name: "Channel",
    origins: channel.origins,
    categories: channel.categories.map(foldCategory),
    blockedCategories: channel.blocked_categories.map(foldCategory),
    blockedAdvertisers: new Set(channel.blocked_advertisers.map(fold)),
    network: channel.network,
    networkSuspended: channel.suspended,
    approvedAdvertisers: new Set(channel.approved_advertisers.map(fold)),
    strictness: channel.strictness,
  });
  for (const campaign of campaigns) addCampaign(state, campaign, network);
  state.putBuyers([...new Set(campaigns.map(({ tenant }) => tenant))].map((tenant) => buyerOf(tenant, network)));
  const rates = new ClickRates();
  for (const { id, creatives } of campaigns) {
    for (const creative of creatives) rates.add(id, creative.id, seen[creative.id] ?? { impressions: 0, clicks: 0 });
  }
  state.putClickRates(rates);
  return state;
}

const buyerOf = (tenant: string, network: Scenario["network"]): NetworkBuyer => ({
  id: tenant,
  isHouse: network.house.includes(tenant),
  emailVerified: !network.unverified.includes(tenant),
  availableNanos: BigInt(network.balance_micros[tenant] ?? 1e12) * 1000n,
});

function addCampaign(state: ServingState, campaign: CampaignOf, network: Scenario["network"]): void {
  const advertiserId = campaign.advertiser ?? `advertiser of ${campaign.id}`;
  const domain = `${advertiserId.replaceAll(" ", "-")}.example`;
  const isApproved = !network.unapproved.includes(advertiserId);
  const { tenant: tenantId } = campaign;
  const blocks = {
    blockedChannels: new Set(network.blocking.includes(advertiserId) ? [CHANNEL_ID] : []),
    blockedDomains: network.blocked_domains[advertiserId] ?? [],
  };
  const named = { id: advertiserId, tenantId, mode: campaign.mode, name: advertiserId, domain };
  state.putAdvertiser({ ...named, isApproved, ...blocks });
  const { id, mode, reach, status, keywords, targeting } = campaign;
  const time = (text: string | undefined) => (text === undefined ? undefined : Date.parse(text));
  state.putCampaign({
    id,
    advertiserId,
    mode,
    reach,
    status,
    keywords,
    tenantId: campaign.tenant,
    name: id,
    model: campaign.model,
    bidMicros: BigInt(campaign.bid_micros),
    bidNumber: campaign.bid_micros,
    startsAtMs: time(campaign.starts_at),
    endsAtMs: time(campaign.ends_at),
    timezone: "UTC",
    pacing: "asap",
    caps: campaign.caps.map(({ window_seconds: windowSeconds, ...cap }) => ({ ...cap, windowSeconds })),
    targeting: { ...targeting, categories: targeting.categories.map(foldCategory) },
    attribution: {},
    createdAtMs: 0,
    spentTodayNanos: 0n,
    spentTotalNanos: 0n,
    budgetSpent: campaign.budget_spent,
    passRate: campaign.pass_rate,
  });
  for (const item of campaign.creatives) addCreative(state, id, item);
  for (const item of campaign.products) addProduct(state, id, item);
}

function addCreative(state: ServingState, campaignId: string, item: ItemOf): void {
  const { id, title, content, brand, category, price } = item;
  const landingUrl = `https://shop.example/${id}`;
  const product = category === undefined ? undefined : { title, category };
  state.putItem(
    {
      kind: "creative",
      id,
      campaignId,
      title,
      content,
      cta: "Open",
      landingUrl,
      product,
      price,
      brand: { name: brand },
    },
    [],
  );
}

function addProduct(state: ServingState, campaignId: string, item: ItemOf): void {
  const { id, title, content, category, gtin, group: groupId, google_category: googleCategory } = item;
  const details = Object.entries(item.details).map(([name, value]) => ({ name, value }));
  const landingUrl = `https://shop.example/${id}`;
  state.putItem(
    {
      kind: "product",
      id,
      campaignId,
      title,
      content,
      landingUrl,
      brandName: item.brand,
      category,
      googleCategory,
      gtin,
      groupId,
      inStock: item.in_stock,
      price: item.price,
    },
    details,
  );
}
