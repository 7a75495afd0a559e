import type { Prisma } from "../../engines/postgres/generated/client";
import type { CountedQuota } from "../../operation/quota";
import { quotaExceeded } from "./quota";
import { lockLimit } from "./quota.sql";

/**
 * Throws `quota_exceeded` when `adding` more (by default one) would exceed the tenant's limit. Call it first in the
 * transaction that adds them: it takes the lock for which other creations of the tenant wait.
 */
export async function assertQuota(
  tx: Prisma.TransactionClient,
  { tenantId, adding = 1 }: { tenantId: string; adding?: number },
  quota: CountedQuota,
): Promise<void> {
  const limit = (await lockLimit(tx, tenantId, quota.resource)) ?? quota.defaultLimit;
  await assertBelow(tx, { tenantId, adding, limit }, quota);
}

/** `assertQuota` for what only asks: it takes no lock, so that the result can change at any time. */
export async function checkQuota(
  tx: Prisma.TransactionClient,
  { tenantId, adding = 1 }: { tenantId: string; adding?: number },
  quota: CountedQuota,
): Promise<void> {
  const set = await tx.quota.findUnique({ where: { tenantId_resource: { tenantId, resource: quota.resource } } });
  await assertBelow(tx, { tenantId, adding, limit: set ? Number(set.limit) : quota.defaultLimit }, quota);
}

async function assertBelow(
  tx: Prisma.TransactionClient,
  { tenantId, adding, limit }: { tenantId: string; adding: number; limit: number },
  quota: CountedQuota,
): Promise<void> {
  // The count of a resource does not depend on the time.
  const used = await quota.used(tx, { tenantId, now: new Date(0) });
  if (adding > 0 && used + adding > limit) throw quotaExceeded(quota, limit, adding);
}
