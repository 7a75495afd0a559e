import { z } from "zod";
import { fold } from "../../guard/text/tokenizer";
import type { ChannelRefs } from "../network-channels/channel-refs";
import { foldCategory } from "../serving/category-path";
import type {
  ItemDetail,
  ServingAdvertiser,
  ServingCampaign,
  ServingChannel,
  ServingItem,
  ServingProduct,
  Strictness,
} from "../serving/serving";

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

/** A list that was never set may be null. */
export interface ChannelRow {
  id: string;
  tenant_id: string;
  mode: "test" | "live";
  name: string;
  origins: string[] | null;
  categories: string[] | null;
  blocked_categories: string[] | null;
  blocked_advertisers: string[] | null;
  network: "all" | "approved" | "own";
  approved_advertisers: string[] | null;
  network_suspended_at: Date | null;
  strictness: Strictness;
}

export interface AdvertiserRow {
  id: string;
  tenant_id: string;
  mode: "test" | "live";
  name: string;
  domain: string | null;
  icon_url: string | null;
  copied_from: string | null;
  blocked_channels: string[] | null;
  blocked_domains: string[] | null;
  /** The operator approved it, and its domain is verified. */
  is_approved: boolean;
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
  importing_since: Date | null;
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
  item_group_id: string | null;
  category: string | null;
  google_product_category: string | null;
  availability: string;
  currency: string | null;
  price: number | null;
  original_price: number | null;
  sale_starts_at: Date | null;
  sale_ends_at: Date | null;
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
  network: row.network,
  networkSuspended: row.network_suspended_at !== null,
  approvedAdvertisers: new Set((row.approved_advertisers ?? []).map(fold)),
  strictness: row.strictness,
});

interface AdvertiserTerms {
  automaticReview: boolean;
  channelRefs: ChannelRefs;
}

export const advertiserFrom = (
  row: AdvertiserRow,
  { automaticReview, channelRefs }: AdvertiserTerms,
): ServingAdvertiser => ({
  id: row.id,
  tenantId: row.tenant_id,
  mode: row.mode,
  name: row.name,
  isApproved: automaticReview || row.is_approved,
  copiedFrom: row.copied_from ?? undefined,
  blockedChannels: channelsBehind(row.blocked_channels ?? [], row.tenant_id, channelRefs),
  blockedDomains: row.blocked_domains ?? [],
  domain: row.domain ?? undefined,
  iconUrl: row.icon_url ?? undefined,
});

/** Resolves references to channels by looking up each channel's reference, because a reference cannot be decoded. */
function channelsBehind(refs: readonly string[], tenantId: string, channelRefs: ChannelRefs) {
  const blocked = new Set(refs);
  return { has: (channelId: string) => blocked.size > 0 && blocked.has(channelRefs.of(tenantId, channelId)) };
}

/**
 * Spend starts at zero here; the catalog carries over or loads the known amounts. Throws if the caps cannot be read,
 * because serving without caps is not acceptable.
 */
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
    isImporting: row.importing_since !== null,
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

/** Both categories are indexed: the one that is not shown becomes a detail with the name `category`. */
export function productFrom(row: ProductRow): { item: ServingItem; details: readonly ItemDetail[] } {
  const { category, google_product_category: google } = row;
  const googleCategory = google === null || google === category ? undefined : google;
  const item: ServingItem = {
    kind: "product",
    id: row.id,
    campaignId: row.campaign_id,
    title: row.title,
    content: row.description,
    landingUrl: row.link,
    brandName: row.brand ?? undefined,
    gtin: row.gtin ?? undefined,
    groupId: row.item_group_id ?? undefined,
    category: category ?? undefined,
    googleCategory,
    inStock: row.availability !== "out_of_stock",
    ...pricesOf(row),
    rating: Rating.parse(row.rating),
  };
  const details: readonly ItemDetail[] = Details.parse(row.details);
  return {
    item,
    details: googleCategory === undefined ? details : [...details, { name: "category", value: googleCategory }],
  };
}

/** A sale without dates applies at all times. */
function pricesOf(row: ProductRow): Pick<ServingProduct, "price" | "sale"> {
  const { price: amount, currency, original_price: original, sale_starts_at: start, sale_ends_at: end } = row;
  if (amount === null || currency === null) return {};
  const price = { amount, currency, originalPrice: original ?? undefined };
  if (start === null && end === null) return { price };
  return {
    price: original === null ? undefined : { amount: original, currency },
    sale: { price, startsAtMs: start?.getTime(), endsAtMs: end?.getTime() },
  };
}
