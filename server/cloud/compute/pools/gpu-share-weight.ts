import type { Prisma } from "../../../engines/postgres/generated/client";
import type { QuotaDefinition } from "../../../operation/quota";

/** How much of the GPUs that become free a tenant gets, in proportion to the others that wait. */
export const GPU_SHARE_WEIGHT: QuotaDefinition = {
  resource: "gpu_share_weight",
  unit: "shares",
  description:
    "Weight of the tenant's turns when several tenants wait for GPUs of a pool: with 2 it gets twice the GPUs of one with 1",
  defaultLimit: 1,
  liftable: { min: 1, max: 1000 },
  used: null,
  remedy: "wait for GPUs",
};

/** The weights of those of the tenants that an operator has set; the others have the default. */
export async function gpuShareWeights(
  db: Pick<Prisma.TransactionClient, "quota">,
  tenantIds: readonly string[],
): Promise<Map<string, number>> {
  const where = { resource: GPU_SHARE_WEIGHT.resource, tenantId: { in: [...new Set(tenantIds)] } };
  const rows = await db.quota.findMany({ where, select: { tenantId: true, limit: true } });
  return new Map(rows.map(({ tenantId, limit }) => [tenantId, Number(limit)]));
}
