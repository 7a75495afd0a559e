import { z } from "zod";
import { fetchPage, type Page, PageQuery } from "../../kernel/page";
import type { AdsCtx } from "../ads-ctx";
import { ownCampaign } from "../campaigns/campaign";
import { id } from "../fields";
import { listScope, olderThan } from "../own-rows";
import { type Creative, creativeOf } from "./creative";

export const ListCreatives = z.strictObject({ id, ...PageQuery.shape });

/** A campaign's creatives, newest first. Throws `not_found` for the campaign. */
export async function listCreatives(ctx: AdsCtx, input: z.output<typeof ListCreatives>): Promise<Page<Creative>> {
  const campaign = await ownCampaign(ctx, input.id);
  return fetchPage(listScope(ctx, "creatives", { campaign: campaign.id }), input, async ({ after, take }) => {
    const rows = await ctx.db.creative.findMany({
      where: { campaignId: campaign.id, archivedAt: null, ...olderThan(after) },
      orderBy: { id: "desc" },
      take,
    });
    return rows.map(creativeOf);
  });
}
