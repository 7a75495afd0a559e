import type { Prisma } from "../../../engines/postgres/generated/client";
import { NODE_VERSION, nodesOfPool } from "./fleet";

/** A node, and what the runs on it hold together. */
export interface NodeRow {
  node: string;
  gpus: number;
  cpuMilli: number;
  memoryMib: number;
  domain: string | null;
  /** The version of the pool when the node, or what runs on it, was changed last. */
  version: bigint;
  isCordoned: boolean;
  /** A fleet upgrade has it in hand. */
  isUpgrading: boolean;
  model: string;
  /** Also those that are withheld. */
  heldDevices: number[];
  heldCpuMilli: number;
  heldMemoryMib: number;
}

/**
 * Locks a pool until the transaction ends and returns its version. Decisions about a pool therefore wait for each other
 * in all processes, and each reads what those before it have committed. The first one writes the simulated nodes.
 */
export async function lockPool(tx: Prisma.TransactionClient, pool: string): Promise<bigint> {
  const version = await lockedVersion(tx, pool);
  if (version !== undefined) return version;
  await createPool(tx, pool);
  return (await lockedVersion(tx, pool)) ?? 0n;
}

async function lockedVersion(tx: Prisma.TransactionClient, pool: string): Promise<bigint | undefined> {
  const rows = await tx.$queryRaw<{ version: bigint }[]>`SELECT version FROM gpu_pools WHERE pool = ${pool} FOR UPDATE`;
  return rows[0]?.version;
}

/** Of two transactions that create a pool, one waits for the other and then finds it. */
async function createPool(tx: Prisma.TransactionClient, pool: string): Promise<void> {
  const { count } = await tx.gpuPool.createMany({ data: { pool, version: 1n }, skipDuplicates: true });
  if (count === 0) return;
  const data = nodesOfPool(pool).map(({ name: node, ...spec }) => ({
    pool,
    node,
    version: 1n,
    simulated: true,
    softwareVersion: NODE_VERSION,
    ...spec,
  }));
  await tx.gpuNode.createMany({ data });
}

/** The nodes of a locked pool that were changed after a version, and those that are named. */
export async function changedNodes(
  tx: Prisma.TransactionClient,
  { pool, since, names }: { pool: string; since: bigint; names: readonly string[] },
): Promise<NodeRow[]> {
  const rows = await tx.$queryRaw<(NodeRow & Record<"heldCpuMilli" | "heldMemoryMib", bigint>)[]>`
    SELECT n.node, n.gpus, n.cpu_milli AS "cpuMilli", n.memory_mib AS "memoryMib", n.domain, n.version,
      n.cordoned_at IS NOT NULL AS "isCordoned", n.upgrade_id IS NOT NULL AS "isUpgrading",
      split_part(n.pool, '/', 2) AS model,
      ARRAY(SELECT DISTINCT unnest(held.devices || n.withheld)) AS "heldDevices",
      held.cpu * 1000 AS "heldCpuMilli", held.memory AS "heldMemoryMib"
    FROM gpu_nodes n
    CROSS JOIN LATERAL (
      SELECT coalesce(array_agg(device) FILTER (WHERE device IS NOT NULL), '{}') AS devices,
        coalesce(sum(cpu) FILTER (WHERE is_first), 0)::bigint AS cpu,
        coalesce(sum(memory_mb) FILTER (WHERE is_first), 0)::bigint AS memory
      FROM (
        SELECT d.device, p.cpu, p.memory_mb, row_number() OVER (PARTITION BY d.run_id) = 1 AS is_first
        FROM gpu_devices d LEFT JOIN pod_runs r ON r.id = d.run_id LEFT JOIN pods p ON p.id = r.pod_id
        WHERE d.pool = n.pool AND d.node = n.node
      ) AS devices
    ) AS held
    WHERE n.pool = ${pool} AND (n.version > ${since} OR n.node = ANY(${[...names]}))
    ORDER BY n.node`;
  return rows.map((row) => ({
    ...row,
    heldCpuMilli: Number(row.heldCpuMilli),
    heldMemoryMib: Number(row.heldMemoryMib),
  }));
}
