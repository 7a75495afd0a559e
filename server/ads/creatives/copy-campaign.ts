import { z } from "zod";
import { requirePerson } from "../../identity/actors/require-team-role";
import type { ActorCtx } from "../../identity/identity-ctx";
import { assertQuota } from "../../identity/quotas/assert-quota";
import { ServiceError } from "../../kernel/errors";
import { operation } from "../ads-operation";
import { Campaign, campaignOf, ownCampaign } from "../campaigns/campaign";
import { campaignExample } from "../campaigns/campaign.example";
import type { CampaignCtx } from "../campaigns/campaign-ctx";
import { CAMPAIGNS_QUOTA } from "../campaigns/campaigns.quotas";
import { CreateCampaign, createCampaign } from "../campaigns/create-campaign";
import { getCampaign } from "../campaigns/get-campaign";
import { id } from "../fields";
import { ITEM_QUOTAS } from "../quotas/item-quotas";
import { createCreative } from "./create-creative";
import { creativeOf } from "./creative";

/** More creatives in one transaction would hold its locks for too long. */
const CREATIVES_MAX = 100;

export const CopyCampaign = z.strictObject({ id, advertiser_id: id.describe("A live advertiser") });

/**
 * Copies a test campaign and its creatives into a live campaign of a live advertiser, as a draft. Channels of test mode
 * do not exist in live mode, so the copy targets all channels; products are not copied. Only people can: a key sees one
 * mode. Throws `not_found`, `conflict` for a live campaign or more than 100 creatives, and `quota_exceeded`.
 */
export const copyCampaign = operation({
  id: "copyCampaign",
  summary: "Copy a test campaign to live mode",
  access: "ads:write",
  result: "created",
  quota: CAMPAIGNS_QUOTA,
  input: CopyCampaign,
  output: Campaign,
  example: {
    input: { id: campaignExample.id, advertiser_id: campaignExample.advertiser_id },
    output: { ...campaignExample, status: "draft" },
  },
  run: async (ctx: ActorCtx & Pick<CampaignCtx, "automaticReview" | "currency" | "itemsMax">, input) => {
    requirePerson(ctx.actor);
    const row = await ownCampaign(ctx, input.id);
    if (row.mode === "live") throw new ServiceError("conflict", "This campaign is in live mode already.");
    const creatives = await ctx.db.creative.findMany({
      where: { campaignId: row.id, archivedAt: null },
      orderBy: { id: "asc" },
      take: CREATIVES_MAX + 1,
    });
    if (creatives.length > CREATIVES_MAX) throw tooManyCreatives();
    const copy = await createCampaign.run(ctx, termsOf(campaignOf(row, ctx.currency), input.advertiser_id));
    for (const creative of creatives) {
      await assertQuota(ctx.db, ctx.actor, ITEM_QUOTAS.creatives);
      const { id: _, campaign_id, created_at, updated_at, ...content } = creativeOf(creative);
      await createCreative.run(ctx, { id: copy.id, ...content });
    }
    return getCampaign.run(ctx, { id: copy.id });
  },
});

/** The bid was confirmed when the campaign got it. */
function termsOf(campaign: ReturnType<typeof campaignOf>, advertiser_id: string): z.output<typeof CreateCampaign> {
  const { id: _, currency, created_at, updated_at, ...terms } = campaign;
  return CreateCampaign.parse({
    ...terms,
    mode: "live",
    advertiser_id,
    status: "draft",
    confirm_high_bid: true,
    targeting: { ...terms.targeting, channels: [] },
  });
}

const tooManyCreatives = (): ServiceError =>
  new ServiceError("conflict", `This campaign has more than ${CREATIVES_MAX} creatives, the most that can be copied.`);
