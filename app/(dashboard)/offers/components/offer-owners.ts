import type { Outputs } from "../../../trpc/client";

type Row = Outputs["getReport"]["rows"][number];

interface Events {
  impressions: number;
  clicks: number;
}

/** The events on a publisher's channels by whose offers they are of: only those of `others` earn. */
export interface OfferOwners {
  house: Events;
  own: Events;
  others: Events;
}

/** Sums a report by channel and campaign, of all the tenant's channels or of one. */
export function offerOwnersOf(rows: readonly Row[], channelId?: string): OfferOwners {
  const owners: OfferOwners = { house: none(), own: none(), others: none() };
  for (const { channel, campaign, impressions, clicks } of rows) {
    // The tenant's campaigns on channels of others bring no earnings; requests have no campaign.
    if (!campaign || channel === "network" || (channelId && channel !== channelId)) continue;
    const sums = campaign === "house" ? owners.house : campaign === "network" ? owners.others : owners.own;
    sums.impressions += impressions;
    sums.clicks += clicks;
  }
  return owners;
}

const none = (): Events => ({ impressions: 0, clicks: 0 });
