import type { Mode } from "../../identity/actors/actor";
import type { PriceModel } from "../../kernel/money";

/** A channel as serving needs it; categories are folded paths (`electronics>audio`). */
export interface ServingChannel {
  id: string;
  tenantId: string;
  mode: Mode;
  name: string;
  origins: readonly string[];
  categories: readonly string[];
  blockedCategories: readonly string[];
  /** Folded ids, domains or names. */
  blockedAdvertisers: ReadonlySet<string>;
}

export interface ServingAdvertiser {
  id: string;
  tenantId: string;
  name: string;
  domain?: string | undefined;
  iconUrl?: string | undefined;
}

/** At most `count` impressions in any `windowSeconds`, for each user of one campaign, advertiser or channel. */
export interface ServingCap {
  count: number;
  windowSeconds: number;
  per: "campaign" | "advertiser" | "channel";
}

/** Where a campaign wants to run; an empty list means anywhere. */
export interface Targeting {
  geos: readonly string[];
  devices: readonly string[];
  locales: readonly string[];
  placements: readonly string[];
  /** Folded paths. */
  categories: readonly string[];
  channels: readonly string[];
}

export type MatchType = "exact" | "phrase" | "broad" | "negative";

export interface Keyword {
  text: string;
  match: MatchType;
}

export interface ServingCampaign {
  id: string;
  tenantId: string;
  advertiserId: string;
  mode: Mode;
  name: string;
  model: PriceModel;
  bidMicros: bigint;
  /** `bidMicros` for the arithmetic of ranking. */
  bidNumber: number;
  dailyBudgetMicros?: bigint | undefined;
  totalBudgetMicros?: bigint | undefined;
  startsAtMs?: number | undefined;
  endsAtMs?: number | undefined;
  timezone: string;
  pacing: "even" | "asap";
  reach: "tenant" | "network";
  status: "draft" | "active" | "paused" | "ended";
  caps: readonly ServingCap[];
  targeting: Targeting;
  keywords: readonly Keyword[];
  attribution: { clickDays?: number | undefined; viewDays?: number | undefined };
  createdAtMs: number;
  /** What the ledger said a moment ago, in nanos; refreshed every second for campaigns with a budget. */
  spentTodayNanos: bigint;
  spentTotalNanos: bigint;
  /** A budget is used up, or may be by what was served and has not settled: nothing of this campaign is served. */
  budgetSpent: boolean;
  /** The share of requests that the campaign takes part in, 0 to 1: how an even pace is kept. */
  passRate: number;
}

export interface OfferBrand {
  name: string;
  url?: string | undefined;
  iconUrl?: string | undefined;
}

export interface OfferPrice {
  amount: number;
  currency: string;
  originalPrice?: number | undefined;
  discount?: number | undefined;
}

export interface OfferRating {
  value: number;
  scale: number;
  count: number;
}

export interface ServingCreative {
  kind: "creative";
  id: string;
  campaignId: string;
  title: string;
  content: string;
  cta: string;
  landingUrl: string;
  brand?: { [K in keyof OfferBrand]?: OfferBrand[K] | undefined } | undefined;
  product?: { title: string; category?: string | undefined } | undefined;
  price?: OfferPrice | undefined;
  rating?: OfferRating | undefined;
}

export interface ServingProduct {
  kind: "product";
  id: string;
  campaignId: string;
  title: string;
  content: string;
  landingUrl: string;
  brandName?: string | undefined;
  gtin?: string | undefined;
  category?: string | undefined;
  inStock: boolean;
  price?: OfferPrice | undefined;
  rating?: OfferRating | undefined;
}

/** What can become an offer. */
export type ServingItem = ServingCreative | ServingProduct;

/** What only the index reads of an item: feed attributes such as colour or storage. */
export interface ItemDetail {
  name: string;
  value: string | number | boolean;
}
