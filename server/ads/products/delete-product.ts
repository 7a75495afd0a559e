import { z } from "zod";
import { recordAudit } from "../../identity/audit/record-audit";
import { operation } from "../ads-operation";
import { campaignTarget, ownCampaign } from "../campaigns/campaign";
import { id } from "../fields";
import { noProduct } from "./product";
import { productPathExample } from "./product.example";
import type { ProductCtx } from "./product-ctx";

/** Archives a product until a feed contains it again. Throws `not_found`, also if the product is already archived. */
export const deleteProduct = operation({
  id: "deleteProduct",
  summary: "Archive a product until a feed contains it again",
  access: "ads:write",
  input: z.strictObject({ id, product_id: id }),
  output: z.void(),
  example: { input: productPathExample, output: undefined },
  run: async (ctx: ProductCtx, input) => {
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
  },
});
