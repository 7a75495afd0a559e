import type { Prisma } from "../../engines/postgres/generated/client";

/** Locks a channel's row until the transaction ends, which serializes changes to its keys and settings. */
export async function lockChannel(tx: Prisma.TransactionClient, id: string): Promise<void> {
  await tx.$queryRaw`SELECT id FROM channels WHERE id = ${id} FOR UPDATE`;
}
