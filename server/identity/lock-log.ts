import type { Prisma } from "../engines/postgres/generated/client";

export interface LogHead {
  sequence: bigint;
  /** Empty before the first entry. */
  hash: string;
}

/**
 * Reads the head of a tenant's audit log and locks it until the transaction ends. Audit entries and events of a tenant
 * are written under this one lock, so that their order is the order of the commits and the two cannot deadlock.
 */
export async function lockLog(tx: Pick<Prisma.TransactionClient, "$queryRaw">, tenantId: string): Promise<LogHead> {
  const rows = await tx.$queryRaw<LogHead[]>`
    INSERT INTO audit_heads (tenant_id, sequence, hash) VALUES (${tenantId}, 0, '')
    ON CONFLICT (tenant_id) DO UPDATE SET sequence = audit_heads.sequence
    RETURNING sequence, hash`;
  const [head] = rows;
  if (!head) throw new Error("an upsert returned no row");
  return head;
}
