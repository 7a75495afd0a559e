import { fold } from "../../guard/text/tokenizer";
import { type NetworkBlock, type NetworkBuyer, networkBlocks } from "../network/network-blocks";
import { categoriesMeet, foldCategory, isWithin } from "../serving/category-path";
import type { OfferRequest } from "../serving/offer-request";
import type { ServingAdvertiser, ServingCampaign, ServingChannel, ServingItem, Targeting } from "../serving/serving";

/** Why a campaign or an item may not serve a request, regardless of its text. */
export type FilterReason =
  | "other_tenant"
  | "publisher_choice"
  | "channel_suspended"
  | "blocked_channel"
  | NetworkBlock
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
  /** The page's categories from its signals, in addition to the channel's own categories. */
  categories: readonly string[];
  nowMs: number;
}

/** The owners of a campaign; undefined if archived or not loaded yet. */
export interface CampaignParties {
  advertiser: ServingAdvertiser | undefined;
  buyer: NetworkBuyer | undefined;
}

/** The first reason why the campaign may not serve; undefined if it may. */
export function filterCampaign(
  scene: FilterScene,
  campaign: ServingCampaign,
  parties: CampaignParties,
): FilterReason | undefined {
  if (campaign.tenantId !== scene.channel.tenantId && campaign.reach !== "network") return "other_tenant";
  if (campaign.mode !== scene.channel.mode) return "mode";
  return (
    againstSchedule(campaign, scene.nowMs) ??
    againstChannel(scene, campaign, parties.advertiser) ??
    againstTargeting(scene.request, campaign.targeting) ??
    againstNetwork(scene.channel, campaign, parties)
  );
}

/**
 * Checks for a channel of another tenant: first the settings of the operator and the publisher, then the advertiser's
 * blocks, then what the buyer must still do.
 */
function againstNetwork(
  channel: ServingChannel,
  campaign: ServingCampaign,
  { advertiser, buyer }: CampaignParties,
): FilterReason | undefined {
  if (campaign.tenantId === channel.tenantId) return undefined;
  if (channel.networkSuspended) return "channel_suspended";
  if (!advertiser || !admitsNetwork(channel, advertiser)) return "publisher_choice";
  if (blocksChannel(advertiser, channel)) return "blocked_channel";
  // A buyer that is not loaded yet serves only on its own channels.
  return buyer ? networkBlocks(campaign, advertiser, buyer)[0] : "no_balance";
}

const admitsNetwork = ({ network, approvedAdvertisers }: ServingChannel, advertiser: ServingAdvertiser): boolean =>
  network === "all" || (network === "approved" && isListed(approvedAdvertisers, advertiser));

const blocksChannel = ({ blockedChannels, blockedDomains }: ServingAdvertiser, channel: ServingChannel): boolean =>
  blockedChannels.has(channel.id) ||
  (blockedDomains.length > 0 &&
    channel.origins.some((origin) => isWithinDomains(new URL(origin).hostname, blockedDomains)));

/** "shop.example.com" is within "example.com". */
const isWithinDomains = (host: string, domains: readonly string[]): boolean =>
  domains.some((domain) => host === domain || host.endsWith(`.${domain}`));

/** The first reason why an item of an eligible campaign may not serve. */
export function filterItem({ channel }: FilterScene, item: ServingItem): FilterReason | undefined {
  if (item.kind === "product" && !item.inStock) return "out_of_stock";
  if (channel.blockedCategories.length === 0) return undefined;
  const categories = item.kind === "product" ? [item.category, item.googleCategory] : [item.product?.category];
  const folded = categories.flatMap((path) => (path === undefined ? [] : [foldCategory(path)]));
  return isBlocked(channel, folded) ? "blocked_category" : undefined;
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
  if (isListed(channel.blockedAdvertisers, advertiser)) return "blocked_advertiser";
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

/** Items for en-US or en match "en-US"; an invalid locale counts as English. */
function localesOf(locale: string): string[] {
  const folded = locale.toLowerCase().replaceAll("_", "-");
  if (!/^[a-z]{2,3}(-[a-z0-9]{2,8})*$/.test(folded)) return ["en"];
  const parts = folded.split("-");
  return parts.map((_, i) => parts.slice(0, parts.length - i).join("-"));
}

const isBlocked = (channel: ServingChannel, categories: readonly string[]): boolean =>
  channel.blockedCategories.some((blocked) => categories.some((category) => isWithin(category, blocked)));

/** Whether a channel's list contains an advertiser by its id, domain or name. */
const isListed = (list: ReadonlySet<string>, { id, domain, name }: ServingAdvertiser): boolean =>
  list.size > 0 && [id, domain, name].some((text) => text !== undefined && list.has(fold(text)));
