import type { Prisma } from "../../engines/postgres/generated/client";

/** Holds a key's row until the transaction ends: what is rotated or revoked is what was read. */
export async function lockKey(
  tx: Prisma.TransactionClient,
  { id, tenantId }: { id: string; tenantId: string },
): Promise<void> {
  await tx.$queryRaw`SELECT id FROM api_keys WHERE id = ${id} AND tenant_id = ${tenantId} FOR NO KEY UPDATE`;
}
