import type { Prisma, PrismaClient } from "../../../engines/postgres/generated/client";
import type { Clock } from "../../../kernel/clock";
import { lockPool } from "../pools/pools.sql";
import { decideGpuNodes, type GpuNodeChange } from "./decide-gpu-nodes";
import { lockGpuNodes, reportedGpuNodes, storedGpuNodes } from "./gpu-nodes.sql";

/**
 * Makes the nodes of live pools what they have reported. Any process may do so at any time: each change locks its
 * pool and raises its version, so that the next decision of every process sees it.
 */
export async function updateGpuNodes({ db, clock }: { db: PrismaClient; clock: Clock }): Promise<void> {
  const changes = await changesNow(db, clock.now());
  if (changes.length === 0) return;
  const pools = [...new Set(changes.map(({ pool }) => pool))].sort();
  await db.$transaction(async (tx) => {
    await lockGpuNodes(tx);
    for (const pool of pools) await lockPool(tx, pool);
    // What was read before the locks may be out of date.
    const current = await changesNow(tx, clock.now());
    for (const pool of pools)
      await change(
        tx,
        pool,
        current.filter((one) => one.pool === pool),
      );
  });
}

const changesNow = async (db: Pick<Prisma.TransactionClient, "$queryRaw">, now: Date): Promise<GpuNodeChange[]> =>
  decideGpuNodes(await reportedGpuNodes(db), await storedGpuNodes(db), now);

async function change(tx: Prisma.TransactionClient, pool: string, changes: readonly GpuNodeChange[]): Promise<void> {
  if (changes.length === 0) return;
  const { version } = await tx.gpuPool.update({ where: { pool }, data: { version: { increment: 1 } } });
  for (const { node, gpuUuids, withheld, ...state } of changes) {
    const told = { ...state, gpuUuids: [...gpuUuids], withheld: [...withheld], version };
    await tx.gpuNode.upsert({
      where: { pool_node: { pool, node } },
      create: { ...told, node, simulated: false },
      update: told,
    });
  }
}
