import type { Prisma } from "../../engines/postgres/generated/client";

interface LogInsToEnd {
  userId: string;
  /** Only the sessions in this tenant. */
  tenantId?: string;
  /** The session to keep, of either kind. */
  keptId?: string;
}

/** Ends sessions of a person, in the dashboard and the API; returns how many. */
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
