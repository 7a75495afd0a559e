import type { Prisma } from "../../engines/postgres/generated/client";
import type { QuotaResource } from "./quota";

/**
 * What an operator set as a tenant's limit, undefined where nothing is set. Until the transaction ends no other one of
 * the tenant gets past here, so that what is counted stays true.
 */
export async function lockLimit(
  tx: Prisma.TransactionClient,
  tenantId: string,
  resource: QuotaResource,
): Promise<number | undefined> {
  const rows = await tx.$queryRaw<{ limit: bigint | null }[]>`
    SELECT quotas."limit" FROM tenants
    LEFT JOIN quotas ON quotas.tenant_id = tenants.id AND quotas.resource = ${resource}
    WHERE tenants.id = ${tenantId}
    FOR NO KEY UPDATE OF tenants`;
  const limit = rows[0]?.limit ?? null;
  return limit === null ? undefined : Number(limit);
}
