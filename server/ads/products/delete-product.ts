import { z } from "zod";
import { recordAudit } from "../../identity/audit/record-audit";
import type { AdsCtx } from "../ads-ctx";
import { campaignTarget, ownCampaign } from "../campaigns/campaign";
import { id } from "../fields";
import { noProduct } from "./product";

export const DeleteProduct = z.strictObject({ id, product_id: id });

/** Archives a product until a feed names it again. Throws `not_found`, for an archived one too. */
export async function deleteProduct(ctx: AdsCtx, input: z.output<typeof DeleteProduct>): Promise<void> {
  const campaign = await ownCampaign(ctx, input.id);
  const now = ctx.clock.now();
  await ctx.db.$transaction(async (tx) => {
    const [product] = await tx.product.updateManyAndReturn({
      where: { id: input.product_id, campaignId: campaign.id, archivedAt: null },
      data: { archivedAt: now, updatedAt: now },
    });
    if (!product) throw noProduct(input.product_id);
    const target = { type: "product", id: product.id, name: product.title };
    await recordAudit(tx, ctx, { action: "product.archived", targets: [target, campaignTarget(campaign)] });
  });
}
