import type { Prisma } from "../../engines/postgres/generated/client";

/** Locks a creative's row until the transaction ends, so that it cannot change between read and write. */
export async function lockCreative(tx: Prisma.TransactionClient, id: string): Promise<void> {
  await tx.$queryRaw`SELECT id FROM creatives WHERE id = ${id} FOR NO KEY UPDATE`;
}
