import type { PriceModel } from "../../kernel/money";
import type { Mode } from "../../operation/actor";

/** How sure svc must be that an offer fits a request: `relaxed` fills more requests, `strict` misplaces fewer offers. */
export type Strictness = "relaxed" | "balanced" | "strict";

/** A channel, reduced to the fields that serving needs; categories are folded paths (`electronics>audio`). */
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
  /**
   * Whose network campaigns the channel shows: those of all tenants, of `approvedAdvertisers`, or only of its own
   * tenant.
   */
  network: "all" | "approved" | "own";
  strictness: Strictness;
  /** An operator suspended the campaigns of other tenants on this channel. */
  networkSuspended: boolean;
  /** Folded ids, domains or names. */
  approvedAdvertisers: ReadonlySet<string>;
}

export interface ServingAdvertiser {
  id: string;
  tenantId: string;
  mode: Mode;
  name: string;
  /** Whether its network campaigns may serve on the channels of other tenants. */
  isApproved: boolean;
  /** The live advertiser whose test campaigns were moved to this one. */
  copiedFrom?: string | undefined;
  /** Ids of other publishers' channels on which its campaigns do not serve. */
  blockedChannels: Pick<ReadonlySet<string>, "has">;
  /** Same as `blockedChannels`, by the domains of their origins. */
  blockedDomains: readonly string[];
  domain?: string | undefined;
  iconUrl?: string | undefined;
}

/** At most `count` impressions in any `windowSeconds`, per user and per campaign, advertiser or channel. */
export interface ServingCap {
  count: number;
  windowSeconds: number;
  per: "campaign" | "advertiser" | "channel";
}

/** Where a campaign may run; an empty list means anywhere. */
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
  /** Products of an import that has not ended are stored, and not to be served yet. */
  isImporting?: boolean | undefined;
  model: PriceModel;
  bidMicros: bigint;
  /** `bidMicros` as a number, for ranking. */
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
  /** Recent spend from the ledger, in nanos; refreshed every second for campaigns with a budget. */
  spentTodayNanos: bigint;
  spentTotalNanos: bigint;
  /** A budget is exhausted, possibly by served offers that are not settled yet, so the campaign does not serve. */
  budgetSpent: boolean;
  /** The share of requests in which the campaign takes part, 0 to 1; used to spread its budget evenly. */
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
  /** 14 digits; rows from before this rule may have another form. */
  gtin?: string | undefined;
  /** Equal for variants of one product within a campaign. */
  groupId?: string | undefined;
  /** The category that offers show. */
  category?: string | undefined;
  /** The path in Google's taxonomy, if it is not the same as `category`. */
  googleCategory?: string | undefined;
  inStock: boolean;
  /** The price outside of `sale`; see `priceAt`. */
  price?: OfferPrice | undefined;
  sale?: DatedSale | undefined;
  rating?: OfferRating | undefined;
}

/** A price that applies from one time to another, both included. */
export interface DatedSale {
  price: OfferPrice;
  startsAtMs?: number | undefined;
  endsAtMs?: number | undefined;
}

/** An item that can become an offer. */
export type ServingItem = ServingCreative | ServingProduct;

/** Fields that only the index reads: feed attributes such as color or storage. */
export interface ItemDetail {
  name: string;
  value: string | number | boolean;
}
