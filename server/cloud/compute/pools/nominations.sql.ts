import type { Prisma } from "../../../engines/postgres/generated/client";

/** Devices of a node that are kept for a run, with the cores and the memory that it needs. */
export interface Nomination {
  runId: string;
  node: string;
  devices: number[];
  cpuMilli: number;
  memoryMib: number;
  /** The run comes back to the node when the upgrade by its own tenant is through with it. */
  comesBack?: boolean;
}

const MILLI_PER_CORE = 1000;

/** The nominations of a locked pool. */
export async function nominationsOf(tx: Prisma.TransactionClient, pool: string): Promise<Nomination[]> {
  const rows = await tx.$queryRaw<(Omit<Nomination, "cpuMilli" | "memoryMib"> & { cpu: number; memory: number })[]>`
    SELECT n.run_id AS "runId", n.node, array_agg(n.device ORDER BY n.device) AS devices,
      coalesce(max(p.cpu), 0) AS cpu, coalesce(max(p.memory_mb), 0) AS memory,
      EXISTS (SELECT FROM gpu_nodes g JOIN fleet_upgrades f ON f.id = g.upgrade_id AND f.pool = g.pool
        WHERE g.pool = ${pool} AND g.node = n.node AND f.tenant_id = min(p.tenant_id)) AS "comesBack"
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

/**
 * Keeps the devices that an ended run had for the next run of its pod, if the tenant of the pod upgrades the node. The pool is
 * locked, because the devices were released.
 */
export async function keepForReturn(
  tx: Prisma.TransactionClient,
  {
    pool,
    node,
    devices,
    tenantId,
    runId,
  }: { pool: string | null; node: string | null; devices: number[]; tenantId: string; runId: string },
): Promise<void> {
  if (pool === null || node === null) return;
  await tx.$executeRaw`
    INSERT INTO gpu_nominations (pool, node, device, run_id)
    SELECT g.pool, g.node, unnest(${devices}::int[]), ${runId}
    FROM gpu_nodes g JOIN fleet_upgrades f ON f.id = g.upgrade_id AND f.pool = g.pool
    WHERE g.pool = ${pool} AND g.node = ${node} AND f.tenant_id = ${tenantId} AND f.state = 'running'
    ON CONFLICT DO NOTHING`;
}

export async function endNomination(tx: Prisma.TransactionClient, runId: string): Promise<void> {
  await tx.gpuNomination.deleteMany({ where: { runId } });
}
