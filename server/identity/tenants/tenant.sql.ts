import type { Prisma } from "../../engines/postgres/generated/client";

/** Makes what is decided about a whole tenant wait for each other, until the transaction ends. */
export async function lockTenant(tx: Prisma.TransactionClient, tenantId: string): Promise<void> {
  await tx.$queryRaw`SELECT id FROM tenants WHERE id = ${tenantId} FOR NO KEY UPDATE`;
}
