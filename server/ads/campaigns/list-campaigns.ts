import { z } from "zod";
import type { ActorCtx } from "../../identity/identity-ctx";
import { listScope } from "../../identity/list-scope";
import { fetchPage, PageQuery, pageOf } from "../../kernel/page";
import { modeOf } from "../../operation/actor";
import { examplePage } from "../../operation/example";
import { operation } from "../ads-operation";
import { id, modeChoice } from "../fields";
import { olderThan, ownRows } from "../own-rows";
import { Campaign } from "./campaign";
import { campaignExample } from "./campaign.example";
import type { CampaignCtx } from "./campaign-ctx";
import { campaignStatus } from "./campaign-fields";
import { toCampaigns } from "./to-campaigns";

/** Lists the tenant's campaigns of one mode, newest first, optionally filtered by advertiser or status. */
export const listCampaigns = operation({
  id: "listCampaigns",
  summary: "List campaigns",
  access: "ads:read",
  input: z.strictObject({
    ...PageQuery.shape,
    mode: modeChoice,
    advertiser_id: id.optional(),
    status: campaignStatus.optional(),
  }),
  output: pageOf(Campaign),
  example: { input: { limit: 50, status: "active" }, output: examplePage(campaignExample) },
  run: (ctx: ActorCtx & Pick<CampaignCtx, "automaticReview" | "currency">, input) => {
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
      return toCampaigns(ctx, rows);
    });
  },
});
