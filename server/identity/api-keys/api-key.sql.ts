import type { Prisma } from "../../engines/postgres/generated/client";

/**
 * Locks a key's row until the transaction ends, so that the secret that is rotated or revoked is the one that was read.
 */
export async function lockKey(
  tx: Prisma.TransactionClient,
  { id, tenantId }: { id: string; tenantId: string },
): Promise<void> {
  await tx.$queryRaw`SELECT id FROM api_keys WHERE id = ${id} AND tenant_id = ${tenantId} FOR NO KEY UPDATE`;
}
