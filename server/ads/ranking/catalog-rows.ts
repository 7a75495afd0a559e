import { z } from "zod";
import { foldCategory } from "./category-path";
import type { ItemDetail, ServingAdvertiser, ServingCampaign, ServingChannel, ServingItem } from "./serving";
import { fold } from "./tokenizer";

const strings = z.array(z.string()).catch([]);
const text = z.string().optional().catch(undefined);
const Price = z
  .object({
    amount: z.number(),
    currency: z.string(),
    originalPrice: z.number().optional().catch(undefined),
    original_price: z.number().optional().catch(undefined),
    discount: z.int().optional().catch(undefined),
  })
  .transform(({ original_price: wire, originalPrice = wire, ...rest }) => ({ ...rest, originalPrice }))
  .optional()
  .catch(undefined);
const Rating = z.object({ value: z.number(), scale: z.number(), count: z.int() }).optional().catch(undefined);
const Brand = z
  .object({ name: text, url: text, iconUrl: text, icon_url: text })
  .transform(({ icon_url: wire, iconUrl = wire, ...rest }) => ({ ...rest, iconUrl }))
  .optional()
  .catch(undefined);
const OfferedProduct = z.object({ title: z.string(), category: text }).optional().catch(undefined);
const Details = z
  .array(z.object({ name: z.string(), value: z.union([z.string(), z.number(), z.boolean()]) }))
  .catch([]);
const Targeting = z
  .object({
    geos: strings,
    devices: strings,
    locales: strings,
    placements: strings,
    categories: strings,
    channels: strings,
  })
  .catch({ geos: [], devices: [], locales: [], placements: [], categories: [], channels: [] });
const Keywords = z
  .array(z.object({ text: z.string(), match: z.enum(["exact", "phrase", "broad", "negative"]) }))
  .catch([]);
const Caps = z
  .array(
    z.object({
      count: z.int(),
      window_seconds: z.int(),
      per: z.enum(["campaign", "advertiser", "channel"]).default("campaign"),
    }),
  )
  .transform((caps) => caps.map(({ window_seconds: windowSeconds, ...cap }) => ({ ...cap, windowSeconds })));
const Attribution = z
  .object({ click_days: z.number().optional(), view_days: z.number().optional() })
  .transform(({ click_days: clickDays, view_days: viewDays }) => ({ clickDays, viewDays }))
  .catch({ clickDays: undefined, viewDays: undefined });

/** A list that nobody ever set may be null. */
export interface ChannelRow {
  id: string;
  tenant_id: string;
  mode: "test" | "live";
  name: string;
  origins: string[] | null;
  categories: string[] | null;
  blocked_categories: string[] | null;
  blocked_advertisers: string[] | null;
}

export interface AdvertiserRow {
  id: string;
  tenant_id: string;
  name: string;
  domain: string | null;
  icon_url: string | null;
}

export interface CampaignRow {
  id: string;
  tenant_id: string;
  advertiser_id: string;
  mode: "test" | "live";
  name: string;
  model: "cpc" | "cpm";
  bid_micros: string;
  daily_budget_micros: string | null;
  total_budget_micros: string | null;
  starts_at: Date | null;
  ends_at: Date | null;
  timezone: string;
  pacing: "even" | "asap";
  reach: "tenant" | "network";
  status: "draft" | "active" | "paused" | "ended";
  caps: unknown;
  targeting: unknown;
  keywords: unknown;
  attribution: unknown;
  created_at: Date;
}

export interface CreativeRow {
  id: string;
  campaign_id: string;
  title: string;
  content: string;
  cta: string;
  landing_url: string;
  brand: unknown;
  product: unknown;
  price: unknown;
  rating: unknown;
}

export interface ProductRow {
  id: string;
  campaign_id: string;
  title: string;
  description: string;
  link: string;
  brand: string | null;
  gtin: string | null;
  category: string | null;
  availability: string;
  currency: string | null;
  price: number | null;
  original_price: number | null;
  rating: unknown;
  details: unknown;
}

export const channelFrom = (row: ChannelRow): ServingChannel => ({
  id: row.id,
  tenantId: row.tenant_id,
  mode: row.mode,
  name: row.name,
  origins: row.origins ?? [],
  categories: (row.categories ?? []).map(foldCategory),
  blockedCategories: (row.blocked_categories ?? []).map(foldCategory),
  blockedAdvertisers: new Set((row.blocked_advertisers ?? []).map(fold)),
});

export const advertiserFrom = (row: AdvertiserRow): ServingAdvertiser => ({
  id: row.id,
  tenantId: row.tenant_id,
  name: row.name,
  domain: row.domain ?? undefined,
  iconUrl: row.icon_url ?? undefined,
});

/** Spending starts at zero here; the catalog carries over or asks for what is known. Throws on caps that it cannot read: serving uncapped is not a fallback. */
export function campaignFrom(row: CampaignRow): ServingCampaign {
  const targeting = Targeting.parse(row.targeting);
  return {
    id: row.id,
    tenantId: row.tenant_id,
    advertiserId: row.advertiser_id,
    mode: row.mode,
    name: row.name,
    model: row.model,
    bidMicros: BigInt(row.bid_micros),
    bidNumber: Number(row.bid_micros),
    dailyBudgetMicros: row.daily_budget_micros === null ? undefined : BigInt(row.daily_budget_micros),
    totalBudgetMicros: row.total_budget_micros === null ? undefined : BigInt(row.total_budget_micros),
    startsAtMs: row.starts_at?.getTime(),
    endsAtMs: row.ends_at?.getTime(),
    timezone: row.timezone,
    pacing: row.pacing,
    reach: row.reach,
    status: row.status,
    caps: Caps.parse(row.caps),
    targeting: {
      ...targeting,
      geos: targeting.geos.map((geo) => geo.toUpperCase()),
      locales: targeting.locales.map((locale) => locale.toLowerCase()),
      categories: targeting.categories.map(foldCategory),
    },
    keywords: Keywords.parse(row.keywords),
    attribution: Attribution.parse(row.attribution),
    createdAtMs: row.created_at.getTime(),
    spentTodayNanos: 0n,
    spentTotalNanos: 0n,
    budgetSpent: false,
    passRate: 1,
  };
}

export const creativeFrom = (row: CreativeRow): ServingItem => ({
  kind: "creative",
  id: row.id,
  campaignId: row.campaign_id,
  title: row.title,
  content: row.content,
  cta: row.cta,
  landingUrl: row.landing_url,
  brand: Brand.parse(row.brand),
  product: OfferedProduct.parse(row.product),
  price: Price.parse(row.price),
  rating: Rating.parse(row.rating),
});

export function productFrom(row: ProductRow): { item: ServingItem; details: readonly ItemDetail[] } {
  const { price: amount, currency, original_price: originalPrice } = row;
  const item: ServingItem = {
    kind: "product",
    id: row.id,
    campaignId: row.campaign_id,
    title: row.title,
    content: row.description,
    landingUrl: row.link,
    brandName: row.brand ?? undefined,
    gtin: row.gtin ?? undefined,
    category: row.category ?? undefined,
    inStock: row.availability !== "out_of_stock",
    price:
      amount === null || currency === null
        ? undefined
        : { amount, currency, originalPrice: originalPrice ?? undefined },
    rating: Rating.parse(row.rating),
  };
  return { item, details: Details.parse(row.details) };
}
