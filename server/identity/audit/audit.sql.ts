import type { Prisma } from "../../engines/postgres/generated/client";

export interface AuditHead {
  sequence: bigint;
  hash: string;
}

/** The end of a tenant's chain, held until the transaction ends. */
export async function lockHead(tx: Prisma.TransactionClient, tenantId: string): Promise<AuditHead> {
  const rows = await tx.$queryRaw<AuditHead[]>`
    INSERT INTO audit_heads (tenant_id, sequence, hash) VALUES (${tenantId}, 0, '')
    ON CONFLICT (tenant_id) DO UPDATE SET sequence = audit_heads.sequence
    RETURNING sequence, hash`;
  const [head] = rows;
  if (!head) throw new Error("an upsert answered no row");
  return head;
}

export async function moveHead(
  tx: Prisma.TransactionClient,
  { tenantId, sequence, hash }: AuditHead & { tenantId: string },
): Promise<void> {
  await tx.$executeRaw`UPDATE audit_heads SET sequence = ${sequence}, hash = ${hash} WHERE tenant_id = ${tenantId}`;
}
