import type { Pool, PoolClient } from "pg";
import { inTransaction } from "../../engines/postgres/in-transaction";
import { remedyOf } from "../../identity/quotas/quota";
import { lockLimitOn } from "../../identity/quotas/quota.sql";
import { installationFull } from "../quotas/installation-limit";
import { allItemsOn, countProductsOn } from "../quotas/item-counts.sql";
import { ITEM_QUOTAS } from "../quotas/item-quotas";
import { BrokenFeed } from "./feed-line";

export interface FeedQuota {
  tenantId: string;
  campaignId: string;
  /** The maximum number of products and creatives of all tenants together. */
  itemsMax: number;
  /**
   * For a replacing feed: the number of its lines up to and including this batch. They count instead of the existing
   * products.
   */
  linesInstead: number | undefined;
}

/** While a feed replaces products, old and new ones together may reach this multiple of the limit. */
const WHILE_REPLACING = 2;

/**
 * Stores a batch of products unless it would exceed the tenant's quota or the installation's limit; then nothing of the
 * batch is stored. A batch without new products always passes. Batches and creates of one tenant are serialized, so its
 * quota is exact; the installation's limit can be exceeded by what is stored concurrently.
 */
export const storeWithinQuota = (
  sql: Pool,
  quota: FeedQuota,
  store: (client: PoolClient) => Promise<void>,
): Promise<void> =>
  inTransaction(sql, async (client) => {
    const limit =
      (await lockLimitOn(client, quota.tenantId, ITEM_QUOTAS.products.resource)) ?? ITEM_QUOTAS.products.defaultLimit;
    const before = await countProductsOn(client, quota);
    await store(client);
    const after = await countProductsOn(client, quota);
    if (after.ofTenant <= before.ofTenant) return;
    const counted =
      quota.linesInstead === undefined
        ? after.ofTenant
        : Math.max(
            after.ofTenant - after.ofCampaign + Math.min(quota.linesInstead, after.ofCampaign),
            Math.ceil(after.ofTenant / WHILE_REPLACING),
          );
    if (counted > limit) throw overQuota(limit, { before: before.ofTenant, added: after.ofTenant - before.ofTenant });
    if ((await allItemsOn(client)) > quota.itemsMax) throw overItemsMax(quota.itemsMax);
  });

function overQuota(limit: number, { before, added }: { before: number; added: number }): BrokenFeed {
  const { products } = ITEM_QUOTAS;
  return new BrokenFeed(
    "product_quota",
    `The limit of ${limit} products is reached: your account has ${before}, and the next lines of the feed add ${added}; ` +
      `${remedyOf(products)}. Products stored before stay.`,
  ).withDetails({ resource: products.resource, limit, used: before });
}

const overItemsMax = (limit: number): BrokenFeed =>
  new BrokenFeed("installation_full", `${installationFull(limit)} Products stored before stay.`).withDetails({
    resource: "items",
    limit,
  });
