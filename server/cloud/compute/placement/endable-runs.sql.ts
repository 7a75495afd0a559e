import type { Pool } from "pg";
import type { Prisma } from "../../../engines/postgres/generated/client";
import { TURNAROUND_MS } from "../reserved-gpus/free-for-on-demand";
import type { EndableRun } from "../scheduler/choose-victims";

const MILLI_PER_CORE = 1000;
const SECOND_MS = 1000;

export interface EndableRunRow extends EndableRun {
  podId: string;
  node: string;
}

interface Row {
  runId: string;
  podId: string;
  node: string;
  devices: number[];
  cpu: number;
  memoryMb: number;
  /** When it started, or a checkpoint of its files was made. */
  savedAt: Date | null;
  isEnding: boolean;
  /** Names its gang among all; null: it has none, or is not spot. */
  gang: string | null;
}

/** The runs on a locked pool that may be reclaimed, and those of any pod that are ending. */
export async function endableRuns(tx: Prisma.TransactionClient, pool: string, now: Date): Promise<EndableRunRow[]> {
  const rows = await tx.$queryRaw<Row[]>`
    SELECT r.id AS "runId", r.pod_id AS "podId", r.node, r.devices, p.cpu, p.memory_mb AS "memoryMb",
      greatest(r.started_at, (SELECT max(c.created_at) FROM pod_checkpoints c
        WHERE c.pod_id = p.id AND c.run = r.number AND c.state = 'saved')) AS "savedAt",
      p.status IN ('reclaiming', 'stopping') OR p.deleted_at IS NOT NULL AS "isEnding",
      CASE WHEN p.spot THEN p.project_id || ' ' || p.mode::text || ' ' || p.gang_name END AS gang
    FROM pod_runs r JOIN pods p ON p.id = r.pod_id
    WHERE r.id IN (SELECT run_id FROM gpu_devices WHERE pool = ${pool}) AND r.ended_at IS NULL
      AND (p.deleted_at IS NOT NULL OR p.status IN ('reclaiming', 'stopping')
        OR (p.spot AND p.status IN ('pending', 'ready')))
    ORDER BY r.id`;
  const lostSeconds = ({ savedAt }: Row) =>
    savedAt ? Math.max(0, (now.getTime() - savedAt.getTime()) / SECOND_MS) : 0;
  const gangs = new Map<string, { name: string; gpus: number; lostGpuSeconds: number }>();
  for (const row of rows) {
    if (row.gang === null || row.isEnding) continue;
    const sum = gangs.get(row.gang) ?? { name: row.gang, gpus: 0, lostGpuSeconds: 0 };
    sum.gpus += row.devices.length;
    sum.lostGpuSeconds += row.devices.length * lostSeconds(row);
    gangs.set(row.gang, sum);
  }
  return rows.map((row) => {
    const { runId, podId, node, devices, isEnding, cpu, memoryMb } = row;
    const gang = row.gang === null || isEnding ? undefined : gangs.get(row.gang);
    return {
      runId,
      podId,
      node,
      devices,
      isEnding,
      lostSeconds: lostSeconds(row),
      ...(gang && { gang }),
      cpuMilli: cpu * MILLI_PER_CORE,
      memoryMib: memoryMb,
    };
  });
}

/**
 * When the pods that hold GPUs of nodes, without those of reservations and unless `spot` without spot pods, have ended at
 * the latest: at the end of their lifetime.
 */
export async function latestEnd(
  tx: Prisma.TransactionClient,
  { pool, nodes, spot, now }: { pool: string; nodes: readonly { node: string }[]; spot: boolean; now: Date },
): Promise<Date> {
  const rows = await tx.$queryRaw<{ at: Date | null }[]>`
    SELECT max(p.expires_at) AS at FROM gpu_devices d JOIN pod_runs r ON r.id = d.run_id JOIN pods p ON p.id = r.pod_id
    WHERE d.pool = ${pool} AND d.node = ANY(${nodes.map(({ node }) => node)})
      AND p.reservation_id IS NULL AND (${spot} OR NOT p.spot)`;
  const at = rows[0]?.at ?? now;
  return new Date(Math.max(at.getTime(), now.getTime()) + TURNAROUND_MS);
}

/** The pods that hold GPUs of nodes that drain and have no notice yet, at most so many that the others follow. */
export async function podsToDrain(sql: Pick<Pool, "query">): Promise<string[]> {
  const { rows } = await sql.query<{ id: string }>({
    name: "pods_to_drain",
    text: `SELECT DISTINCT p.id FROM gpu_nodes n
      JOIN gpu_devices d ON d.pool = n.pool AND d.node = n.node
      JOIN pod_runs r ON r.id = d.run_id JOIN pods p ON p.id = r.pod_id
      WHERE n.drains AND r.ended_at IS NULL AND p.deleted_at IS NULL AND p.status IN ('pending', 'ready')
      ORDER BY p.id LIMIT 200`,
  });
  return rows.map(({ id }) => id);
}

/** Locks pods until the transaction ends; false if another transaction has locked one of them. */
export async function lockPodsNow(tx: Prisma.TransactionClient, ids: readonly string[]): Promise<boolean> {
  const rows = await tx.$queryRaw<object[]>`
    SELECT id FROM pods WHERE id = ANY(${[...ids]}) ORDER BY id FOR NO KEY UPDATE SKIP LOCKED`;
  return rows.length === ids.length;
}
