import type { Prisma } from "../../engines/postgres/generated/client";

/** Holds a channel's row until the transaction ends, so that whoever changes what belongs to it takes turns. */
export async function lockChannel(tx: Prisma.TransactionClient, id: string): Promise<void> {
  await tx.$queryRaw`SELECT id FROM channels WHERE id = ${id} FOR UPDATE`;
}
