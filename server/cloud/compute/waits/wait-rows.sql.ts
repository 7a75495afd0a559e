import type { Pod, Prisma } from "../../../engines/postgres/generated/client";
import { GRACE_SECONDS } from "../pod-records/grace-times";
import type { Ending } from "./expected-wait";

const MILLI_PER_CORE = 1000;
/** The newest of a history. */
const ROWS_MAX = 1000;

export interface RunEnding extends Ending {
  isOnDemand: boolean;
  /** The end of the pod's lifetime. */
  expiresAt: Date;
}

/** When the runs on a pool end, or with null those on all nodes, by the ids of these. */
export async function runEndings(tx: Prisma.TransactionClient, pool: string | null, now: Date): Promise<RunEnding[]> {
  const rows = await tx.$queryRaw<(Omit<RunEnding, "cpuMilli" | "memoryMib"> & { cpu: number; memoryMb: number })[]>`
    SELECT CASE WHEN ${pool}::text IS NULL THEN r.node_id ELSE r.node END AS node, r.devices, p.cpu,
      p.memory_mb AS "memoryMb", NOT p.spot AND p.reservation_id IS NULL AS "isOnDemand", p.expires_at AS "expiresAt",
      p.status IN ('reclaiming', 'stopping') OR p.deleted_at IS NOT NULL AS "isEnding",
      p.spot AND p.deleted_at IS NULL AND p.status IN ('pending', 'ready') AS "isReclaimable",
      greatest(${now}::timestamptz, CASE
        WHEN p.deleted_at IS NOT NULL THEN p.deleted_at
        WHEN p.status = 'reclaiming' THEN r.reclaim_at
        ELSE coalesce(p.stop_requested_at, least(p.expires_at, v.ends_at)) + make_interval(secs => ${GRACE_SECONDS})
      END) AS at
    FROM pod_runs r JOIN pods p ON p.id = r.pod_id LEFT JOIN reservations v ON v.id = p.reservation_id
    WHERE r.ended_at IS NULL AND r.node_id IS NOT NULL AND (${pool}::text IS NULL OR r.pool = ${pool})`;
  return rows.map(({ cpu, memoryMb, ...row }) => ({ ...row, cpuMilli: cpu * MILLI_PER_CORE, memoryMib: memoryMb }));
}

/** When reserved devices of a pool that no other pod has become free: a minute after the end of the reservation. */
export async function reservationEndings(tx: Prisma.TransactionClient, pool: string): Promise<Ending[]> {
  const rows = await tx.$queryRaw<{ node: string; devices: number[]; at: Date }[]>`
    SELECT d.node, array_agg(d.device) AS devices, v.ends_at + interval '1 minute' AS at
    FROM reserved_devices d JOIN reservations v ON v.id = d.reservation_id
    LEFT JOIN gpu_devices g ON g.pool = d.pool AND g.node = d.node AND g.device = d.device
    LEFT JOIN pod_runs r ON r.id = g.run_id LEFT JOIN pods p ON p.id = r.pod_id
    WHERE d.pool = ${pool} AND (g.run_id IS NULL OR p.reservation_id = v.id)
    GROUP BY d.node, v.ends_at`;
  return rows.map((row) => ({ ...row, cpuMilli: 0, memoryMib: 0, isEnding: false }));
}

/** How long runs of a pool, or with null those without GPUs, waited that did; in seconds, the newest first. */
export async function pastWaits(tx: Prisma.TransactionClient, pool: string | null, since: Date): Promise<number[]> {
  const rows = await tx.$queryRaw<{ seconds: number }[]>`
    SELECT extract(epoch FROM min(placed.at) - r.created_at)::float8 AS seconds
    FROM pod_runs r JOIN pod_timeline placed ON placed.pod_id = r.pod_id AND placed.run = r.number
      AND placed.type = 'placed' AND placed.at >= ${since}
    WHERE r.pool IS NOT DISTINCT FROM ${pool} AND r.node_id IS NOT NULL
      AND (r.ended_at IS NULL OR r.ended_at >= ${since})
      AND EXISTS (SELECT FROM pod_timeline w WHERE w.pod_id = r.pod_id AND w.run = r.number AND w.type = 'waiting')
    GROUP BY r.id ORDER BY r.id DESC LIMIT ${ROWS_MAX}`;
  return rows.map(({ seconds }) => seconds);
}

/** When runs of a pool, or with null those without GPUs, ended that had at least as much, the newest first. */
export async function pastEnds(
  tx: Prisma.TransactionClient,
  pool: string | null,
  { gpuCount, memoryMb, since }: Pick<Pod, "gpuCount" | "memoryMb"> & { since: Date },
): Promise<Date[]> {
  const rows = await tx.$queryRaw<{ at: Date }[]>`
    SELECT r.ended_at AS at FROM pod_runs r JOIN pods p ON p.id = r.pod_id
    WHERE r.pool IS NOT DISTINCT FROM ${pool} AND r.ended_at >= ${since} AND r.node_id IS NOT NULL
      AND cardinality(r.devices) >= ${gpuCount} AND (${gpuCount} > 0 OR p.memory_mb >= ${memoryMb})
    ORDER BY r.ended_at DESC LIMIT ${ROWS_MAX}`;
  return rows.map(({ at }) => at);
}
