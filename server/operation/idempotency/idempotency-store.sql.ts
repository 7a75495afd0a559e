import type { Prisma } from "../../engines/postgres/generated/client";

/**
 * Takes the lock of a request until the transaction ends, without waiting; returns false if another transaction has it.
 */
export async function tryLock(tx: Prisma.TransactionClient, lockId: bigint): Promise<boolean> {
  const [row] = await tx.$queryRaw<{ got: boolean }[]>`SELECT pg_try_advisory_xact_lock(${lockId}::bigint) AS got`;
  return row?.got === true;
}
