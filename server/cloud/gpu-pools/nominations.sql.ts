import type { Prisma } from "../../engines/postgres/generated/client";

/** Devices of a node that are kept for a run, with the cores and the memory that it needs. */
export interface Nomination {
  runId: string;
  node: string;
  devices: number[];
  cpuMilli: number;
  memoryMib: number;
}

const MILLI_PER_CORE = 1000;

/** The nominations of a locked pool. */
export async function nominationsOf(tx: Prisma.TransactionClient, pool: string): Promise<Nomination[]> {
  const rows = await tx.$queryRaw<{ runId: string; node: string; devices: number[]; cpu: number; memory: number }[]>`
    SELECT n.run_id AS "runId", n.node, array_agg(n.device ORDER BY n.device) AS devices,
      coalesce(max(p.cpu), 0) AS cpu, coalesce(max(p.memory_mb), 0) AS memory
    FROM gpu_nominations n LEFT JOIN pod_runs r ON r.id = n.run_id LEFT JOIN pods p ON p.id = r.pod_id
    WHERE n.pool = ${pool} GROUP BY n.run_id, n.node`;
  return rows.map(({ cpu, memory, ...row }) => ({ ...row, cpuMilli: cpu * MILLI_PER_CORE, memoryMib: memory }));
}

/** Keeps devices of a locked pool for a run. Fails if one of them is kept for another run. */
export async function nominate(
  tx: Prisma.TransactionClient,
  { pool, runId, node, devices }: { pool: string; runId: string; node: string; devices: readonly number[] },
): Promise<void> {
  await tx.gpuNomination.createMany({ data: devices.map((device) => ({ pool, node, device, runId })) });
}

export async function endNomination(tx: Prisma.TransactionClient, runId: string): Promise<void> {
  await tx.gpuNomination.deleteMany({ where: { runId } });
}
