import type { PoolClient } from "pg";
import type { Prisma } from "../../engines/postgres/generated/client";

interface ItemCounts {
  products: number;
  creatives: number;
}

/** The number of products and creatives in a tenant's campaigns; archived campaigns and items do not count. */
export async function itemsOfTenant(tx: Prisma.TransactionClient, tenantId: string): Promise<ItemCounts> {
  const rows = await tx.$queryRaw<ItemCounts[]>`
    SELECT coalesce(sum(products), 0)::float8 AS products, coalesce(sum(creatives), 0)::float8 AS creatives
    FROM campaign_items JOIN campaigns ON id = campaign_id
    WHERE tenant_id = ${tenantId} AND archived_at IS NULL`;
  return rows[0] ?? { products: 0, creatives: 0 };
}

/** The number of products and creatives of one campaign, which may be archived; archived items do not count. */
export async function itemsOfCampaign(tx: Prisma.TransactionClient, campaignId: string): Promise<ItemCounts> {
  const rows = await tx.$queryRaw<ItemCounts[]>`
    SELECT products::float8 AS products, creatives::float8 AS creatives
    FROM campaign_items WHERE campaign_id = ${campaignId}`;
  return rows[0] ?? { products: 0, creatives: 0 };
}

/** The number of products and creatives of each campaign that has any. */
export async function itemsOfCampaigns(
  db: Pick<Prisma.TransactionClient, "$queryRaw">,
  ids: readonly string[],
): Promise<Map<string, number>> {
  const rows = await db.$queryRaw<{ id: string; items: number }[]>`
    SELECT campaign_id AS id, (products + creatives)::float8 AS items
    FROM campaign_items WHERE campaign_id = ANY (${[...ids]})`;
  return new Map(rows.map(({ id, items }) => [id, items]));
}

const ALL_ITEMS = `SELECT coalesce(sum(products + creatives), 0)::float8 AS items
  FROM campaign_items JOIN campaigns ON id = campaign_id WHERE archived_at IS NULL`;

/** The number of products and creatives of all tenants. */
export async function allItems(tx: Prisma.TransactionClient): Promise<number> {
  const rows = await tx.$queryRawUnsafe<{ items: number }[]>(ALL_ITEMS);
  return rows[0]?.items ?? 0;
}

/** Like `allItems`, on a connection of the pool. */
export async function allItemsOn(client: Pick<PoolClient, "query">): Promise<number> {
  const { rows } = await client.query<{ items: number }>({ name: "all_items", text: ALL_ITEMS });
  return rows[0]?.items ?? 0;
}

/** The number of products of a tenant, and of one of its campaigns. */
export async function countProductsOn(
  client: Pick<PoolClient, "query">,
  { tenantId, campaignId }: { tenantId: string; campaignId: string },
): Promise<{ ofTenant: number; ofCampaign: number }> {
  const { rows } = await client.query<{ ofTenant: number; ofCampaign: number }>({
    name: "count_products",
    text: `SELECT coalesce(sum(products), 0)::float8 AS "ofTenant",
        coalesce(sum(products) FILTER (WHERE id = $2), 0)::float8 AS "ofCampaign"
      FROM campaign_items JOIN campaigns ON id = campaign_id
      WHERE tenant_id = $1 AND archived_at IS NULL`,
    values: [tenantId, campaignId],
  });
  return rows[0] ?? { ofTenant: 0, ofCampaign: 0 };
}
