import { z } from "zod";
import { operation } from "../ads-operation";
import { ownCampaign } from "../campaigns/campaign";
import { id } from "../fields";
import { productExample } from "./product.example";
import type { ProductCtx } from "./product-ctx";

export const ProductCount = z.object({
  products: z.int().describe("Products that are not archived"),
  out_of_stock: z.int().describe("How many of these are out of stock and therefore not served"),
});

/** Counts the products of a campaign. Throws `not_found` for the campaign. */
export const countProducts = operation({
  id: "countProducts",
  summary: "Count a campaign's products",
  access: "ads:read",
  input: z.strictObject({ id }),
  output: ProductCount,
  example: { input: { id: productExample.campaign_id }, output: { products: 1200, out_of_stock: 14 } },
  run: async (ctx: Pick<ProductCtx, "db" | "actor">, input) => {
    const campaign = await ownCampaign(ctx, input.id);
    const groups = await ctx.db.product.groupBy({
      by: ["availability"],
      where: { campaignId: campaign.id, archivedAt: null },
      _count: true,
    });
    const of = (availability: string) => groups.find((group) => group.availability === availability)?._count ?? 0;
    return { products: groups.reduce((sum, { _count }) => sum + _count, 0), out_of_stock: of("out_of_stock") };
  },
});
