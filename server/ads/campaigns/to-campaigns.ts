import type { Campaign as CampaignRow } from "../../engines/postgres/generated/client";
import type { ActorCtx } from "../../identity/identity-ctx";
import { isApproved } from "../advertisers/advertiser";
import { readBuyer } from "../network/buyers.sql";
import { type NetworkBuyer, networkBlocks } from "../network/network-blocks";
import { itemsOfCampaigns } from "../quotas/item-counts.sql";
import { type Campaign, campaignOf } from "./campaign";
import type { CampaignCtx } from "./campaign-ctx";

/** Converts a campaign of the actor's tenant to its API form. */
export async function toCampaign(
  ctx: ActorCtx & Pick<CampaignCtx, "automaticReview" | "currency">,
  row: CampaignRow,
): Promise<Campaign> {
  const [campaign] = await toCampaigns(ctx, [row]);
  return campaign as Campaign;
}

/** Converts campaigns of the actor's tenant to their API forms, in order. */
export async function toCampaigns(
  ctx: ActorCtx & Pick<CampaignCtx, "automaticReview" | "currency">,
  rows: readonly CampaignRow[],
): Promise<Campaign[]> {
  const networked = rows.filter(({ reach }) => reach === "network");
  const facts = networked.length > 0 ? await requestMetaOf(ctx, networked) : undefined;
  const items = await itemsOfCampaigns(
    ctx.db,
    rows.map(({ id }) => id),
  );
  return rows.map((row) => ({
    ...campaignOf(row, ctx.currency),
    items: items.get(row.id) ?? 0,
    network: facts && row.reach === "network" ? networkOf(row, facts) : null,
  }));
}

interface Facts {
  buyer: NetworkBuyer;
  /** Ids of advertisers. */
  approved: ReadonlySet<string>;
}

async function requestMetaOf(
  { db, actor, automaticReview }: ActorCtx & Pick<CampaignCtx, "automaticReview">,
  rows: readonly CampaignRow[],
): Promise<Facts> {
  const buyer = await readBuyer(db, actor.tenantId);
  const advertisers = await db.advertiser.findMany({
    where: { id: { in: rows.map(({ advertiserId }) => advertiserId) } },
  });
  const approved = advertisers.filter((advertiser) => isApproved(advertiser, automaticReview));
  return { buyer, approved: new Set(approved.map(({ id }) => id)) };
}

function networkOf(row: CampaignRow, { buyer, approved }: Facts): NonNullable<Campaign["network"]> {
  const blocked_by = networkBlocks(row, { isApproved: approved.has(row.advertiserId) }, buyer);
  return { serving: blocked_by.length === 0, blocked_by };
}
