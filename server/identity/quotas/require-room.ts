import type { Prisma } from "../../engines/postgres/generated/client";
import { QUOTAS, type QuotaResource, quotaExceeded } from "./quota";
import { lockLimit } from "./quota.sql";

/** What belongs to a tenant as a whole and is counted when it is created. */
export type CountedResource = Exclude<QuotaResource, "requests_per_minute" | "active_keys_per_project">;

/**
 * Throws `quota_exceeded` when the tenant has all that it may have of a resource. Call it first in the transaction that
 * adds one: creates of one tenant wait for each other from there on.
 */
export async function requireRoom(
  tx: Prisma.TransactionClient,
  { tenantId }: { tenantId: string },
  resource: CountedResource,
): Promise<void> {
  const limit = (await lockLimit(tx, tenantId, resource)) ?? QUOTAS[resource].defaultLimit;
  // No countable resource depends on the time.
  const used = await QUOTAS[resource].used(tx, { tenantId, now: new Date(0) });
  if (used >= limit) throw quotaExceeded(resource, limit);
}
