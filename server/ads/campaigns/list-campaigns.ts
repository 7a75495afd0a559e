import { z } from "zod";
import { modeOf } from "../../identity/actors/actor";
import { fetchPage, type Page, PageQuery } from "../../kernel/page";
import type { AdsCtx } from "../ads-ctx";
import { id, modeChoice } from "../fields";
import { listScope, olderThan, ownRows } from "../own-rows";
import { type Campaign, campaignOf } from "./campaign";
import { campaignStatus } from "./campaign-fields";

export const ListCampaigns = z.strictObject({
  ...PageQuery.shape,
  mode: modeChoice,
  advertiser_id: id.optional(),
  status: campaignStatus.optional(),
});

/** The tenant's campaigns of one mode, newest first, of one advertiser or in one status where asked. */
export function listCampaigns(ctx: AdsCtx, input: z.output<typeof ListCampaigns>): Promise<Page<Campaign>> {
  const mode = modeOf(ctx.actor, input.mode);
  const { advertiser_id, status } = input;
  return fetchPage(listScope(ctx, "campaigns", { mode, advertiser_id, status }), input, async ({ after, take }) => {
    const rows = await ctx.db.campaign.findMany({
      where: {
        ...ownRows(ctx.actor),
        mode,
        ...(advertiser_id !== undefined && { advertiserId: advertiser_id }),
        ...(status && { status }),
        ...olderThan(after),
      },
      orderBy: { id: "desc" },
      take,
    });
    return rows.map((row) => campaignOf(row, ctx.currency));
  });
}
