import { categoriesMeet, foldCategory, isWithin } from "./category-path";
import type { OfferRequest } from "./offer-request";
import type { ServingAdvertiser, ServingCampaign, ServingChannel, ServingItem, Targeting } from "./serving";
import { fold } from "./tokenizer";

/** Why a campaign or an item may not serve a request, whatever its words say. */
export type FilterReason =
  | "other_tenant"
  | "mode"
  | "status"
  | "not_started"
  | "ended"
  | "advertiser_archived"
  | "budget_spent"
  | "paced"
  | "channel"
  | "channel_category"
  | "blocked_category"
  | "blocked_advertiser"
  | "geo"
  | "device"
  | "locale"
  | "placement"
  | "out_of_stock";

export interface FilterScene {
  channel: ServingChannel;
  request: OfferRequest;
  /** What the page is about, as its signals say; beside the channel's own categories. */
  categories: readonly string[];
  nowMs: number;
}

/** The first reason against a campaign, or undefined when it may serve. */
export function filterCampaign(
  scene: FilterScene,
  campaign: ServingCampaign,
  advertiser: ServingAdvertiser | undefined,
): FilterReason | undefined {
  if (campaign.tenantId !== scene.channel.tenantId && campaign.reach !== "network") return "other_tenant";
  if (campaign.mode !== scene.channel.mode) return "mode";
  return (
    againstSchedule(campaign, scene.nowMs) ??
    againstChannel(scene, campaign, advertiser) ??
    againstTargeting(scene.request, campaign.targeting)
  );
}

/** The first reason against one item of a campaign that may serve. */
export function filterItem({ channel }: FilterScene, item: ServingItem): FilterReason | undefined {
  if (item.kind === "product" && !item.inStock) return "out_of_stock";
  const category = item.kind === "product" ? item.category : item.product?.category;
  return category !== undefined && isBlocked(channel, [foldCategory(category)]) ? "blocked_category" : undefined;
}

function againstSchedule(campaign: ServingCampaign, nowMs: number): FilterReason | undefined {
  if (campaign.status !== "active") return campaign.status === "ended" ? "ended" : "status";
  if (campaign.startsAtMs !== undefined && nowMs < campaign.startsAtMs) return "not_started";
  if (campaign.endsAtMs !== undefined && nowMs >= campaign.endsAtMs) return "ended";
  return campaign.budgetSpent ? "budget_spent" : undefined;
}

function againstChannel(
  { channel, categories }: FilterScene,
  { targeting }: ServingCampaign,
  advertiser: ServingAdvertiser | undefined,
): FilterReason | undefined {
  if (!advertiser) return "advertiser_archived";
  if (isBlockedAdvertiser(channel, advertiser)) return "blocked_advertiser";
  if (targeting.channels.length > 0 && !targeting.channels.includes(channel.id)) return "channel";
  if (isBlocked(channel, targeting.categories)) return "blocked_category";
  const shown = channel.categories.concat(categories);
  const named = shown.length > 0 && targeting.categories.length > 0;
  return named && !categoriesMeet(shown, targeting.categories) ? "channel_category" : undefined;
}

function againstTargeting(request: OfferRequest, targeting: Targeting): FilterReason | undefined {
  const { geos, devices, locales, placements } = targeting;
  if (geos.length > 0 && !geos.includes(request.geo)) return "geo";
  if (devices.length > 0 && !devices.includes(request.device)) return "device";
  if (placements.length > 0 && !placements.includes(request.placement)) return "placement";
  return locales.length > 0 && !localesOf(request.locale).some((locale) => locales.includes(locale))
    ? "locale"
    : undefined;
}

/** "en-US" is served by what is meant for en-US or for en; what is no locale counts as English. */
function localesOf(locale: string): string[] {
  const folded = locale.toLowerCase().replaceAll("_", "-");
  if (!/^[a-z]{2,3}(-[a-z0-9]{2,8})*$/.test(folded)) return ["en"];
  const parts = folded.split("-");
  return parts.map((_, i) => parts.slice(0, parts.length - i).join("-"));
}

const isBlocked = (channel: ServingChannel, categories: readonly string[]): boolean =>
  channel.blockedCategories.some((blocked) => categories.some((category) => isWithin(category, blocked)));

const isBlockedAdvertiser = ({ blockedAdvertisers }: ServingChannel, advertiser: ServingAdvertiser): boolean =>
  blockedAdvertisers.size > 0 &&
  [advertiser.id, advertiser.domain, advertiser.name].some(
    (name) => name !== undefined && blockedAdvertisers.has(fold(name)),
  );
