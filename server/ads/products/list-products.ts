import { z } from "zod";
import { fetchPage, type Page, PageQuery } from "../../kernel/page";
import type { AdsCtx } from "../ads-ctx";
import { ownCampaign } from "../campaigns/campaign";
import { id } from "../fields";
import { listScope, olderThan } from "../own-rows";
import { type Product, productOf } from "./product";

export const ListProducts = z.strictObject({ id, ...PageQuery.shape });

/** A campaign's products, newest first. Throws `not_found` for the campaign. */
export async function listProducts(ctx: AdsCtx, input: z.output<typeof ListProducts>): Promise<Page<Product>> {
  const campaign = await ownCampaign(ctx, input.id);
  return fetchPage(listScope(ctx, "products", { campaign: campaign.id }), input, async ({ after, take }) => {
    const rows = await ctx.db.product.findMany({
      where: { campaignId: campaign.id, archivedAt: null, ...olderThan(after) },
      orderBy: { id: "desc" },
      take,
    });
    return rows.map(productOf);
  });
}
