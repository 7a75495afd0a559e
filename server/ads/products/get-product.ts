import { z } from "zod";
import type { AdsCtx } from "../ads-ctx";
import { ownCampaign } from "../campaigns/campaign";
import { id } from "../fields";
import { noProduct, type Product, productOf } from "./product";

export const GetProduct = z.strictObject({ id, product_id: id });

/** One product of a campaign (`id`). Throws `not_found` for either. */
export async function getProduct(ctx: AdsCtx, input: z.output<typeof GetProduct>): Promise<Product> {
  const campaign = await ownCampaign(ctx, input.id);
  const row = await ctx.db.product.findFirst({
    where: { id: input.product_id, campaignId: campaign.id, archivedAt: null },
  });
  if (!row) throw noProduct(input.product_id);
  return productOf(row);
}
