import type { Prisma } from "../../engines/postgres/generated/client";

/** Locks an advertiser's row until the transaction ends, so that it cannot change between read and write. */
export async function lockAdvertiser(tx: Prisma.TransactionClient, id: string): Promise<void> {
  await tx.$queryRaw`SELECT id FROM advertisers WHERE id = ${id} FOR NO KEY UPDATE`;
}
