import type { PoolClient } from "pg";
import type { Prisma } from "../../engines/postgres/generated/client";

/**
 * Returns the limit that an operator set for a tenant, or undefined. Locks it until the transaction ends, so that the
 * count cannot change.
 */
export async function lockLimit(
  tx: Prisma.TransactionClient,
  tenantId: string,
  resource: string,
): Promise<number | undefined> {
  const rows = await tx.$queryRaw<{ limit: bigint | null }[]>`
    SELECT quotas."limit" FROM tenants
    LEFT JOIN quotas ON quotas.tenant_id = tenants.id AND quotas.resource = ${resource}
    WHERE tenants.id = ${tenantId}
    FOR NO KEY UPDATE OF tenants`;
  const limit = rows[0]?.limit ?? null;
  return limit === null ? undefined : Number(limit);
}

/** `lockLimit` on a pooled connection. */
export async function lockLimitOn(
  client: Pick<PoolClient, "query">,
  tenantId: string,
  resource: string,
): Promise<number | undefined> {
  const { rows } = await client.query<{ limit: string | null }>({
    name: "lock_limit",
    text: `SELECT quotas."limit"::text AS "limit" FROM tenants
      LEFT JOIN quotas ON quotas.tenant_id = tenants.id AND quotas.resource = $2
      WHERE tenants.id = $1
      FOR NO KEY UPDATE OF tenants`,
    values: [tenantId, resource],
  });
  const limit = rows[0]?.limit ?? null;
  return limit === null ? undefined : Number(limit);
}
