import type { Prisma } from "../../../engines/postgres/generated/client";
import { COUNTABLE } from "../../../identity/quotas/quota";
import type { CountedQuota } from "../../../operation/quota";

export const OBJECT_QUOTAS = {
  storage_bytes: {
    resource: "storage_bytes",
    unit: "bytes",
    description: "Stored bytes of all versions of objects and of the parts of unfinished uploads",
    defaultLimit: 100 * 1024 ** 3,
    // Every number of bytes must be an exact integer.
    liftable: { min: 0, max: Number.MAX_SAFE_INTEGER },
    used: async (tx, { tenantId }) => Number((await usageOf(tx, tenantId)).bytes ?? 0),
    remedy: "delete objects or old versions",
  },
  storage_objects: {
    resource: "storage_objects",
    unit: "objects",
    description: "Stored objects; each version of an object counts",
    defaultLimit: 10_000_000,
    liftable: COUNTABLE,
    used: async (tx, { tenantId }) => Number((await usageOf(tx, tenantId)).versions ?? 0),
    remedy: "delete objects or old versions",
  },
} as const satisfies Record<string, CountedQuota>;

async function usageOf(tx: Prisma.TransactionClient, tenantId: string) {
  const { _sum: sums } = await tx.bucket.aggregate({ where: { tenantId }, _sum: { bytes: true, versions: true } });
  return sums;
}
