import type { Prisma } from "../../engines/postgres/generated/client";

/** Holds a living project until the transaction ends; false when it was archived or never was. */
export async function holdProject(tx: Prisma.TransactionClient, id: string): Promise<boolean> {
  const rows = await tx.$queryRaw<unknown[]>`
    SELECT id FROM projects WHERE id = ${id} AND archived_at IS NULL FOR NO KEY UPDATE`;
  return rows.length > 0;
}
