import type { Prisma } from "../../engines/postgres/generated/client";

/** Locks the row of a tenant until the transaction ends, to serialize decisions about the whole tenant. */
export async function lockTenant(tx: Prisma.TransactionClient, tenantId: string): Promise<void> {
  await tx.$queryRaw`SELECT id FROM tenants WHERE id = ${tenantId} FOR NO KEY UPDATE`;
}
