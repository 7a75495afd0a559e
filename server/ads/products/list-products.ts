import { z } from "zod";
import { listScope } from "../../identity/list-scope";
import { fetchPage, PageQuery, pageOf } from "../../kernel/page";
import { examplePage } from "../../operation/example";
import { operation } from "../ads-operation";
import { ownCampaign } from "../campaigns/campaign";
import { id } from "../fields";
import { olderThan } from "../own-rows";
import { Product, productOf } from "./product";
import { productExample } from "./product.example";
import type { ProductCtx } from "./product-ctx";

/** Lists a campaign's products, newest first. Throws `not_found` for the campaign. */
export const listProducts = operation({
  id: "listProducts",
  summary: "List a campaign's products",
  access: "ads:read",
  input: z.strictObject({ id, ...PageQuery.shape }),
  output: pageOf(Product),
  example: { input: { id: productExample.campaign_id, limit: 50 }, output: examplePage(productExample) },
  run: async (ctx: ProductCtx, input) => {
    const campaign = await ownCampaign(ctx, input.id);
    return fetchPage(listScope(ctx, "products", { campaign: campaign.id }), input, async ({ after, take }) => {
      const rows = await ctx.db.product.findMany({
        where: { campaignId: campaign.id, archivedAt: null, ...olderThan(after) },
        orderBy: { id: "desc" },
        take,
      });
      const now = ctx.clock.now();
      return rows.map((row) => productOf(row, now));
    });
  },
});
