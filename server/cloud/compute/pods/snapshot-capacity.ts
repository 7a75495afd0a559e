import type { Prisma, PrismaClient } from "../../../engines/postgres/generated/client";
import type { Capacity } from "../placement/capacity";
import { readNodes } from "../placement/pod-nodes.sql";
import { CachedPool } from "../pools/cached-pool";
import { gangKeepOf } from "../pools/gang-keeps.sql";
import { nominationsOf } from "../pools/nominations.sql";
import type { LockedPool } from "../pools/pools";
import { nodesNow } from "../waits/pool-state";

/**
 * What a decision reads, without a lock, so that nothing may be written by it. Read it in a transaction with one
 * snapshot. The schedulers of the process stay as they are.
 */
export const snapshotCapacity = (tx: Prisma.TransactionClient): Capacity => ({
  tx,
  readPool: (pool) => readPoolOnce(tx, pool),
  readNodes: (tenantId) => readNodes(tx, tenantId),
});

async function readPoolOnce(tx: Prisma.TransactionClient, pool: string): Promise<LockedPool> {
  const cache = new CachedPool();
  cache.apply(await nodesNow(tx, pool), 0n);
  return { pool, version: 0n, cache, nominations: await nominationsOf(tx, pool), keep: await gangKeepOf(tx, pool) };
}

/** Runs `read` on one snapshot of the database, in which nothing can be written. */
export const inSnapshot = <T>(
  db: Pick<PrismaClient, "$transaction">,
  read: (tx: Prisma.TransactionClient) => Promise<T>,
): Promise<T> =>
  db.$transaction(
    async (tx) => {
      await tx.$executeRaw`SET TRANSACTION READ ONLY`;
      return read(tx);
    },
    { isolationLevel: "RepeatableRead" },
  );
