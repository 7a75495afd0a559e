import type { Prisma } from "../../../engines/postgres/generated/client";

/** Locks a pod until the transaction ends; false if there is none. */
export async function lockPod(tx: Prisma.TransactionClient, id: string): Promise<boolean> {
  const rows = await tx.$queryRaw<object[]>`SELECT id FROM pods WHERE id = ${id} FOR NO KEY UPDATE`;
  return rows.length > 0;
}

/** Locks pods in the order of their ids until the transaction ends. */
export async function lockPods(tx: Prisma.TransactionClient, ids: readonly string[]): Promise<void> {
  await tx.$queryRaw`SELECT id FROM pods WHERE id = ANY(${[...ids]}) ORDER BY id FOR NO KEY UPDATE`;
}
