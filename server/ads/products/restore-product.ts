import { z } from "zod";
import { recordAudit } from "../../identity/audit/record-audit";
import { assertQuota } from "../../identity/quotas/assert-quota";
import { lockLimit } from "../../identity/quotas/quota.sql";
import { operation } from "../ads-operation";
import { campaignArchived, campaignTarget, ownCampaignOrArchived } from "../campaigns/campaign";
import { id } from "../fields";
import { assertInstallationHasRoom } from "../quotas/installation-limit";
import { ITEM_QUOTAS } from "../quotas/item-quotas";
import { noProduct, Product, productOf } from "./product";
import { productExample, productPathExample } from "./product.example";
import type { ProductCtx } from "./product-ctx";

/**
 * Restores an archived product as its feed had it last. One that is not archived is returned unchanged. Throws
 * `not_found`, `conflict` while its campaign is archived, and `quota_exceeded`.
 */
export const restoreProduct = operation({
  id: "restoreProduct",
  summary: "Restore an archived product",
  description:
    "A product that is not archived is returned unchanged. A feed that contains the product also restores it.",
  access: "ads:write",
  input: z.strictObject({ id, product_id: id }),
  output: Product,
  example: { input: productPathExample, output: productExample },
  run: (ctx: ProductCtx, input) => {
    const { db, clock, actor } = ctx;
    return db.$transaction(async (tx) => {
      // Before the product, as imports do, so that the two cannot deadlock; no other restore is under way meanwhile.
      await lockLimit(tx, actor.tenantId, ITEM_QUOTAS.products.resource);
      const campaign = await ownCampaignOrArchived({ db: tx, actor }, input.id);
      const before = await tx.product.findFirst({ where: { id: input.product_id, campaignId: campaign.id } });
      if (!before) throw noProduct(input.product_id);
      if (campaign.archivedAt !== null) throw campaignArchived("product", campaign.id);
      const now = clock.now();
      if (before.archivedAt === null) return productOf(before, now);
      await assertQuota(tx, actor, ITEM_QUOTAS.products);
      await assertInstallationHasRoom(tx, ctx);
      const row = await tx.product.update({ where: { id: before.id }, data: { archivedAt: null, updatedAt: now } });
      const target = { type: "product", id: row.id, name: row.title };
      await recordAudit(tx, ctx, { action: "product.restored", targets: [target, campaignTarget(campaign)] });
      return productOf(row, now);
    });
  },
});
