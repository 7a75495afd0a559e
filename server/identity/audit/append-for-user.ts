import type { Prisma } from "../../engines/postgres/generated/client";
import { type AuditActor, type AuditOrigin, appendAudit, type Change } from "./record-audit";

interface AccountOrigin extends Omit<AuditOrigin, "tenantId" | "actor"> {
  userId: string;
  /** Default: the user. */
  actor?: AuditActor;
}

/** Appends an entry about an account to the audit log of every tenant that the user belongs to. */
export async function appendForUser(
  tx: Prisma.TransactionClient,
  { userId, actor = { type: "user", id: userId }, at, request }: AccountOrigin,
  change: Change,
): Promise<void> {
  // Always in the same order, so that two such changes cannot deadlock.
  const joined = await tx.membership.findMany({
    where: { userId },
    select: { tenantId: true },
    orderBy: { tenantId: "asc" },
  });
  for (const { tenantId } of joined) await appendAudit(tx, { tenantId, at, actor, request }, change);
}
