import type { Prisma } from "../../../engines/postgres/generated/client";
import { lockNameIn } from "../../../engines/postgres/named-lock";
import { PROMISED_DISK_BYTES } from "../../../engines/runtime/promised-disk";
import { FRESH_SECONDS, isLivePool } from "../pools/fleet";
import type { ReportedGpuNode, StoredGpuNode } from "./decide-gpu-nodes";

const POD_DISK_MB = PROMISED_DISK_BYTES / 1024 ** 2;

type Db = Pick<Prisma.TransactionClient, "$queryRaw">;

/** The nodes that pass GPUs on, or did. */
export const reportedGpuNodes = (db: Db): Promise<ReportedGpuNode[]> => db.$queryRaw`
  SELECT id AS "nodeId", memory_mb AS "memoryMb", gpus,
    kind IS NOT NULL AND seen_at > now() - make_interval(secs => ${FRESH_SECONDS}) AS "isFresh",
    seen_at < now() - interval '10 minutes' AS "isGone"
  FROM pod_nodes
  WHERE gpus IS NOT NULL OR id IN (SELECT node_id FROM gpu_nodes WHERE gpus > 0) ORDER BY id`;

export const storedGpuNodes = (db: Db): Promise<StoredGpuNode[]> => db.$queryRaw`
  SELECT n.pool, n.node, n.node_id AS "nodeId", n.gpus, n.cpu_milli AS "cpuMilli", n.memory_mib AS "memoryMib",
    n.gpu_uuids AS "gpuUuids", n.withheld, n.cordoned_at AS "cordonedAt", n.cordon_reason AS "cordonReason",
    n.cordon_source::text AS "cordonSource",
    (SELECT count(*)::int FROM gpu_devices d WHERE d.pool = n.pool AND d.node = n.node) AS held
  FROM gpu_nodes n WHERE n.node_id IS NOT NULL ORDER BY n.pool, n.node`;

/** One transaction at a time decides which GPUs are on which node; until it ends. */
export const lockGpuNodes = (tx: Prisma.TransactionClient): Promise<void> => lockNameIn(tx, "gpu-nodes");

/** What a node can still promise, and whether it reports. */
export interface NodeCapacity {
  node: string;
  nodeId: string;
  /** It reports at present, and no fleet upgrade has it in hand. */
  isFresh: boolean;
  gpus: number;
  cpuMilli: number;
  memoryMib: number;
  withheld: number[];
  /** What pods that have none of its GPUs reserve on it, in MiB. */
  otherMemoryMib: number;
  /** How many more pods its disk can be promised to; null: not known, and no limit. */
  disksFree: number | null;
}

/** The nodes of a pool; none of a simulated pool. */
export async function nodeCapacities(tx: Db, pool: string): Promise<NodeCapacity[]> {
  if (!isLivePool(pool)) return [];
  return tx.$queryRaw`
    SELECT n.node, n.node_id AS "nodeId", n.gpus, n.cpu_milli AS "cpuMilli", n.memory_mib AS "memoryMib", n.withheld,
      coalesce(m.kind IS NOT NULL AND m.seen_at > now() - make_interval(secs => ${FRESH_SECONDS}), false)
        AND NOT EXISTS (SELECT FROM joined_nodes j WHERE j.id = n.node_id AND j.upgrade_id IS NOT NULL) AS "isFresh",
      coalesce((SELECT sum(p.memory_mb) FROM pod_runs r JOIN pods p ON p.id = r.pod_id
        WHERE r.node_id = n.node_id AND r.ended_at IS NULL
          AND (r.pool IS DISTINCT FROM n.pool OR r.node IS DISTINCT FROM n.node)), 0)::int AS "otherMemoryMib",
      (m.disk_mb / ${POD_DISK_MB}::int
        - (SELECT count(*) FROM pod_runs r WHERE r.node_id = n.node_id AND r.ended_at IS NULL))::int AS "disksFree"
    FROM gpu_nodes n LEFT JOIN pod_nodes m ON m.id = n.node_id
    WHERE n.pool = ${pool} AND n.gpus > 0 ORDER BY n.node`;
}

/** The pools that have real GPUs at all, in use or not. */
export async function livePools(db: Db): Promise<string[]> {
  const rows = await db.$queryRaw<{ pool: string }[]>`
    SELECT DISTINCT pool FROM gpu_nodes WHERE node_id IS NOT NULL AND gpus > cardinality(withheld) ORDER BY pool`;
  return rows.map(({ pool }) => pool);
}
