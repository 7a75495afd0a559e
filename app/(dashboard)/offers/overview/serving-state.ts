import type { Outputs } from "../../../trpc/client";
import { NETWORK_BLOCK_TEXTS } from "../campaigns/network-block-texts";

type ListedCampaign = Outputs["listCampaignFigures"]["data"][number];
type Judged = Pick<ListedCampaign, "id" | "name" | "status" | "items" | "reach" | "network" | "figures">;

/** How far a campaign is on its way to the first impression. */
export interface ServingState {
  id: string;
  name: string;
  hasItems: boolean;
  /** Why it cannot serve although it has something to serve, with the fix; undefined if it can. */
  blockedBy: string | undefined;
  /** Of the last 30 days; 0 also while they are unknown. */
  impressions: number;
}

/** The campaign that is the furthest; undefined without campaigns. */
export function campaignAhead(campaigns: readonly Judged[], tenant: { hasChannel: boolean }): ServingState | undefined {
  const states = campaigns.map((campaign) => servingState(campaign, tenant));
  return states.sort((a, b) => stepsDone(b) - stepsDone(a))[0];
}

const stepsDone = ({ impressions, blockedBy, hasItems }: ServingState): number =>
  impressions > 0 ? 3 : hasItems ? (blockedBy === undefined ? 2 : 1) : 0;

const servingState = (campaign: Judged, tenant: { hasChannel: boolean }): ServingState => ({
  id: campaign.id,
  name: campaign.name,
  hasItems: campaign.items > 0,
  blockedBy: blockOf(campaign, tenant),
  impressions: campaign.figures?.impressions ?? 0,
});

function blockOf({ status, reach, network }: Judged, { hasChannel }: { hasChannel: boolean }): string | undefined {
  if (status === "ended") return "It has ended: create another campaign.";
  if (status !== "active") return `It is ${status === "draft" ? "a draft: start it" : "paused: resume it"}.`;
  if (hasChannel) return undefined;
  if (reach === "tenant")
    return "It serves only on your own channels, and you have none: under Settings, extend its reach to channels of other publishers.";
  const [block] = network?.blocked_by ?? [];
  return block && NETWORK_BLOCK_TEXTS[block];
}
