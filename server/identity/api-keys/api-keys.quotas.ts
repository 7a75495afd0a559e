import type { Prisma } from "../../engines/postgres/generated/client";
import type { CountedQuota, UsageOf } from "../../operation/quota";
import { activeAt } from "../active-keys";

export const ACTIVE_KEYS_QUOTA = {
  resource: "active_keys_per_project",
  unit: "keys",
  description:
    "API keys of one project that are neither revoked nor expired; the count is that of the project with the most keys",
  // Specification, "API key".
  defaultLimit: 100,
  liftable: null,
  used: keysOfFullestProject,
  remedy: "revoke one, or use another project",
} as const satisfies CountedQuota;

async function keysOfFullestProject(tx: Prisma.TransactionClient, { tenantId, now }: UsageOf): Promise<number> {
  const [fullest] = await tx.apiKey.groupBy({
    by: ["projectId"],
    where: { tenantId, ...activeAt(now) },
    _count: { id: true },
    orderBy: { _count: { id: "desc" } },
    take: 1,
  });
  return fullest?._count.id ?? 0;
}
