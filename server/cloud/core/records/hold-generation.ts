import type { Prisma } from "../../../engines/postgres/generated/client";

/** Whether a resource has a generation; it keeps that until the transaction ends. */
export async function holdGeneration(
  tx: Prisma.TransactionClient,
  { id, generation }: { id: string; generation: number },
): Promise<boolean> {
  const rows = await tx.$queryRaw<object[]>`
    SELECT id FROM resources WHERE id = ${id} AND generation = ${generation} FOR SHARE`;
  return rows.length > 0;
}
