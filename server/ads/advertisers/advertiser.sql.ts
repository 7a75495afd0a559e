import type { Prisma } from "../../engines/postgres/generated/client";

/** Holds an advertiser's row until the transaction ends, so that what is read is what is changed. */
export async function lockAdvertiser(tx: Prisma.TransactionClient, id: string): Promise<void> {
  await tx.$queryRaw`SELECT id FROM advertisers WHERE id = ${id} FOR NO KEY UPDATE`;
}
