import type { Prisma } from "../../engines/postgres/generated/client";

interface LogInsToEnd {
  userId: string;
  /** Those in one tenant alone. */
  tenantId?: string;
  /** One that stays, of either kind. */
  keptId?: string;
}

/** Ends log-ins of a person, through the dashboard and through the API; answers how many. */
export async function endLogIns(
  tx: Prisma.TransactionClient,
  { userId, tenantId, keptId }: LogInsToEnd,
): Promise<number> {
  const where = {
    userId,
    ...(tenantId === undefined ? {} : { tenantId }),
    ...(keptId === undefined ? {} : { id: { not: keptId } }),
  };
  const sessions = await tx.session.deleteMany({ where });
  const families = await tx.refreshFamily.deleteMany({ where });
  return sessions.count + families.count;
}
