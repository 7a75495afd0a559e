import { z } from "zod";
import { operation } from "../ads-operation";
import { ownCampaign } from "../campaigns/campaign";
import { id } from "../fields";
import { noProduct, Product, productOf } from "./product";
import { productExample, productPathExample } from "./product.example";
import type { ProductCtx } from "./product-ctx";

/** Returns one product of a campaign (`id`). Throws `not_found` for either. */
export const getProduct = operation({
  id: "getProduct",
  summary: "Get a product",
  access: "ads:read",
  input: z.strictObject({ id, product_id: id }),
  output: Product,
  example: { input: productPathExample, output: productExample },
  run: async (ctx: ProductCtx, input) => {
    const campaign = await ownCampaign(ctx, input.id);
    const row = await ctx.db.product.findFirst({
      where: { id: input.product_id, campaignId: campaign.id, archivedAt: null },
    });
    if (!row) throw noProduct(input.product_id);
    return productOf(row, ctx.clock.now());
  },
});
