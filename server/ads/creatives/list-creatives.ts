import { z } from "zod";
import type { ActorCtx } from "../../identity/identity-ctx";
import { listScope } from "../../identity/list-scope";
import { fetchPage, PageQuery, pageOf } from "../../kernel/page";
import { examplePage } from "../../operation/example";
import { operation } from "../ads-operation";
import { ownCampaign } from "../campaigns/campaign";
import { id } from "../fields";
import { olderThan } from "../own-rows";
import { Creative, creativeOf } from "./creative";
import { creativeExample } from "./creative.example";

/** Lists a campaign's creatives, newest first. Throws `not_found` for the campaign. */
export const listCreatives = operation({
  id: "listCreatives",
  summary: "List a campaign's creatives",
  access: "ads:read",
  input: z.strictObject({ id, ...PageQuery.shape }),
  output: pageOf(Creative),
  example: { input: { id: creativeExample.campaign_id, limit: 50 }, output: examplePage(creativeExample) },
  run: async (ctx: ActorCtx, input) => {
    const campaign = await ownCampaign(ctx, input.id);
    return fetchPage(listScope(ctx, "creatives", { campaign: campaign.id }), input, async ({ after, take }) => {
      const rows = await ctx.db.creative.findMany({
        where: { campaignId: campaign.id, archivedAt: null, ...olderThan(after) },
        orderBy: { id: "desc" },
        take,
      });
      return rows.map(creativeOf);
    });
  },
});
