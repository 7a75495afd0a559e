import { z } from "zod";
import type { AdsCtx } from "../ads-ctx";
import { ownCampaign } from "../campaigns/campaign";
import { id } from "../fields";
import { noProduct } from "./product";

export const DeleteProduct = z.strictObject({ id, product_id: id });

/** Archives a product until a feed names it again. Throws `not_found`, for an archived one too. */
export async function deleteProduct(ctx: AdsCtx, input: z.output<typeof DeleteProduct>): Promise<void> {
  const campaign = await ownCampaign(ctx, input.id);
  const now = ctx.clock.now();
  const { count } = await ctx.db.product.updateMany({
    where: { id: input.product_id, campaignId: campaign.id, archivedAt: null },
    data: { archivedAt: now, updatedAt: now },
  });
  if (count === 0) throw noProduct(input.product_id);
}
