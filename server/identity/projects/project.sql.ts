import type { Prisma } from "../../engines/postgres/generated/client";

/** Locks a project until the transaction ends; returns false if it is archived or does not exist. */
export async function lockProject(tx: Prisma.TransactionClient, id: string): Promise<boolean> {
  const rows = await tx.$queryRaw<unknown[]>`
    SELECT id FROM projects WHERE id = ${id} AND archived_at IS NULL FOR NO KEY UPDATE`;
  return rows.length > 0;
}
