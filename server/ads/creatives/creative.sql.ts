import type { Prisma } from "../../engines/postgres/generated/client";

/** Holds a creative's row until the transaction ends, so that what is read is what is changed. */
export async function lockCreative(tx: Prisma.TransactionClient, id: string): Promise<void> {
  await tx.$queryRaw`SELECT id FROM creatives WHERE id = ${id} FOR NO KEY UPDATE`;
}
