import type { Pool } from "pg";
import { type PodKind, Prisma } from "../../../engines/postgres/generated/client";
import type { NodeGpuReport } from "../nodes/claimed-node";
import { FRESH_SECONDS } from "../pools/fleet";
import { POD_DISK_MB } from "./choose-node";

/** Locks a pod until the transaction ends; false if there is none. */
export async function lockPod(tx: Prisma.TransactionClient, id: string): Promise<boolean> {
  const rows = await tx.$queryRaw<object[]>`SELECT id FROM pods WHERE id = ${id} FOR NO KEY UPDATE`;
  return rows.length > 0;
}

/** Locks pods in the order of their ids until the transaction ends. */
export async function lockPods(tx: Prisma.TransactionClient, ids: readonly string[]): Promise<void> {
  await tx.$queryRaw`SELECT id FROM pods WHERE id = ANY(${[...ids]}) ORDER BY id FOR NO KEY UPDATE`;
}

export interface NodeReport {
  id: string;
  kind: string | null;
  isolation: string | null;
  limitsEnforced: boolean;
  /** Whether ports of its workloads can be reached. */
  reachesPorts: boolean;
  /** Whether it keeps volumes, and how many GiB all of them may have together; null: not known. */
  keepsVolumes: boolean;
  /** Whether its pods can be in private networks. */
  hasNetworks: boolean;
  volumesGb: number | null;
  /** Whether its kernel enforces the size of a volume. */
  limitsVolumes: boolean;
  /** Only admitted tenants have workloads on it. */
  admittedOnly: boolean;
  /** Why it runs nothing, or no pods of live keys. */
  reason: string | null;
  memoryMb: number;
  /** MiB that the disks of its pods together may be promised; null: not known. */
  diskMb: number | null;
  /** Where other processes reach it; null: nowhere. */
  address: string | null;
  /** null: its runtime passes none on. */
  gpus?: NodeGpuReport | null;
}

const NODE_COLUMNS = `id, kind, isolation, limits_enforced AS "limitsEnforced", reaches_ports AS "reachesPorts", keeps_volumes AS "keepsVolumes",
  has_networks AS "hasNetworks", volumes_gb AS "volumesGb", limits_volumes AS "limitsVolumes", admitted_only AS "admittedOnly", reason, memory_mb AS "memoryMb", disk_mb AS "diskMb",
  address, gpus`;

/** The machines that report at present. The time is that of the database, so that clocks need not agree. */
export async function reportingNodes(sql: Pick<Pool, "query">): Promise<NodeReport[]> {
  const { rows } = await sql.query<NodeReport>(
    `SELECT ${NODE_COLUMNS} FROM pod_runners WHERE seen_at > now() - make_interval(secs => ${FRESH_SECONDS}) ORDER BY id`,
  );
  return rows;
}

/** A machine with a runtime, as far as placing needs it. */
export type CandidateNode = Pick<
  NodeReport,
  "id" | "kind" | "memoryMb" | "diskMb" | "reachesPorts" | "keepsVolumes" | "volumesGb" | "limitsVolumes"
>;

const TO_PLACE = Prisma.sql`id, kind, memory_mb AS "memoryMb", disk_mb AS "diskMb", reaches_ports AS "reachesPorts",
  keeps_volumes AS "keepsVolumes", volumes_gb AS "volumesGb", limits_volumes AS "limitsVolumes"`;

/**
 * The machines that can be given workloads of a tenant (null: of any), locked until the transaction ends: fleet upgrades
 * have none of them in hand.
 */
export async function lockNodes(tx: Prisma.TransactionClient, tenantId: string | null): Promise<CandidateNode[]> {
  return tx.$queryRaw`${nodesFor(tenantId)} FOR NO KEY UPDATE OF pod_runners`;
}

/** `lockNodes` without a lock, for what only reads. */
export async function readNodes(tx: Prisma.TransactionClient, tenantId: string | null): Promise<CandidateNode[]> {
  return tx.$queryRaw`${nodesFor(tenantId)}`;
}

const nodesFor = (tenantId: string | null) => Prisma.sql`
  SELECT ${TO_PLACE} FROM pod_runners
  WHERE kind IS NOT NULL AND seen_at > now() - make_interval(secs => ${FRESH_SECONDS})
    AND id NOT IN (SELECT id FROM joined_nodes WHERE upgrade_id IS NOT NULL)
    AND (NOT admitted_only OR ${tenantId}::text IS NULL
      OR EXISTS (SELECT FROM tenants t WHERE t.id = ${tenantId} AND t.admitted_at IS NOT NULL))
  ORDER BY id`;

/** MiB of memory that runs reserve, and of the disk that they are promised. */
export interface UsedRoom {
  usedMb: number;
  usedDiskMb: number;
}

/** What the runs of a machine use; a machine without runs is not in the map. */
export async function usedRooms(tx: Prisma.TransactionClient): Promise<Map<string, UsedRoom>> {
  const rows = await tx.$queryRaw<{ id: string; memoryMb: bigint; runs: bigint }[]>`
    SELECT r.runner_id AS id, sum(p.memory_mb) AS "memoryMb", count(*) AS runs
    FROM pod_runs r JOIN pods p ON p.id = r.pod_id
    WHERE r.ended_at IS NULL AND r.runner_id IS NOT NULL GROUP BY r.runner_id`;
  return new Map(
    rows.map(({ id, memoryMb, runs }) => [id, { usedMb: Number(memoryMb), usedDiskMb: Number(runs) * POD_DISK_MB }]),
  );
}

export const NOTHING_USED: UsedRoom = { usedMb: 0, usedDiskMb: 0 };

/** Records that a machine is there and what it can do; also what it cannot. */
export async function recordNodeReport(sql: Pick<Pool, "query">, runner: NodeReport): Promise<void> {
  const { id, kind, isolation, limitsEnforced, reachesPorts, keepsVolumes, volumesGb, limitsVolumes, ...row } = runner;
  const { reason, memoryMb, diskMb, address, gpus, hasNetworks, admittedOnly } = row;
  await sql.query(
    `INSERT INTO pod_runners (id, kind, isolation, limits_enforced, reason, memory_mb, address, gpus, reaches_ports,
       keeps_volumes, volumes_gb, limits_volumes, has_networks, admitted_only, disk_mb, seen_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, now())
     ON CONFLICT (id) DO UPDATE SET kind = $2, isolation = $3, limits_enforced = $4, reason = $5, memory_mb = $6,
       address = $7, gpus = $8, reaches_ports = $9, keeps_volumes = $10, volumes_gb = $11, limits_volumes = $12,
       has_networks = $13, admitted_only = $14, disk_mb = $15, seen_at = now()`,
    [
      id,
      kind,
      isolation,
      limitsEnforced,
      reason,
      memoryMb,
      address,
      gpus ? JSON.stringify(gpus) : null,
      reachesPorts,
      keepsVolumes,
      volumesGb,
      limitsVolumes,
      hasNetworks,
      admittedOnly,
      diskMb,
    ],
  );
}

/** A run that its machine has to look after. */
export interface RunToKeep {
  id: string;
  podId: string;
  tenantId: string;
  number: number;
  kind: PodKind;
  status: "pending" | "ready" | "reclaiming" | "stopping" | "stopped" | "completed" | "failed";
  isDeleted: boolean;
  stopRequestedAt: Date | null;
  /** The volume on its machine. */
  volumeId: string | null;
  noticeAt: Date | null;
  /** When it is ended at the latest. */
  reclaimAt: Date | null;
  startedAt: Date | null;
  endedAt: Date | null;
}

/**
 * The runs of a machine that have not ended, and those whose files are to be deleted: the files of a run are kept until a
 * later one has started, because that may start with them, and until their checkpoint is saved. Those of a sandbox and
 * of a function end with it, those of a workspace do not expire.
 */
export async function runsToKeep(sql: Pick<Pool, "query">, runnerId: string, now: Date): Promise<RunToKeep[]> {
  const { rows } = await sql.query<RunToKeep>({
    name: "pod_runs_to_keep",
    text: `SELECT r.id, r.pod_id AS "podId", p.tenant_id AS "tenantId", r.number, p.kind, p.status, p.deleted_at IS NOT NULL AS "isDeleted",
        p.stop_requested_at AS "stopRequestedAt", r.volume_id AS "volumeId", r.notice_at AS "noticeAt",
        r.reclaim_at AS "reclaimAt",
        r.started_at AS "startedAt", r.ended_at AS "endedAt"
      FROM pod_runs r JOIN pods p ON p.id = r.pod_id
      WHERE r.runner_id = $1 AND r.removed_at IS NULL
        AND (r.ended_at IS NULL OR p.deleted_at IS NOT NULL OR p.kind IN ('sandbox', 'function')
          OR (
            ((p.expires_at <= $2 AND p.kind = 'pod') OR (r.number < p.run_number AND (r.started_at IS NULL OR EXISTS (
              SELECT FROM pod_runs n WHERE n.pod_id = r.pod_id AND n.number > r.number AND n.started_at IS NOT NULL))))
            AND NOT EXISTS (
              SELECT FROM pod_checkpoints c WHERE c.pod_id = r.pod_id AND c.run = r.number AND c.state = 'saving')
          ))
      ORDER BY r.created_at`,
    values: [runnerId, now],
  });
  return rows;
}

/** Records that runs were seen running. */
export async function recordObserved(sql: Pick<Pool, "query">, ids: readonly string[], at: Date): Promise<void> {
  if (ids.length === 0) return;
  await sql.query("UPDATE pod_runs SET observed_at = $2 WHERE id = ANY($1) AND ended_at IS NULL", [ids, at]);
}

/** Those of these workloads that are runs of this machine whose files are still needed, and whether they have ended. */
export async function knownRuns(
  sql: Pick<Pool, "query">,
  runnerId: string,
  ids: readonly string[],
): Promise<Map<string, { isEnded: boolean }>> {
  if (ids.length === 0) return new Map();
  const { rows } = await sql.query<{ id: string; isEnded: boolean }>(
    `SELECT id, ended_at IS NOT NULL AS "isEnded" FROM pod_runs
     WHERE id = ANY($1) AND runner_id = $2 AND removed_at IS NULL`,
    [ids, runnerId],
  );
  return new Map(rows.map(({ id, isEnded }) => [id, { isEnded }]));
}

/** Runs that have not ended on machines that have not reported for 10 minutes. */
export async function abandonedRuns(sql: Pick<Pool, "query">): Promise<string[]> {
  const { rows } = await sql.query<{ id: string }>(
    `SELECT r.id FROM pod_runs r LEFT JOIN pod_runners m ON m.id = r.runner_id
     WHERE r.ended_at IS NULL AND r.runner_id IS NOT NULL
       AND (m.id IS NULL OR m.seen_at < now() - interval '10 minutes') LIMIT 100`,
  );
  return rows.map(({ id }) => id);
}

/** A checkpoint whose files a machine has. */
export interface CheckpointToSave {
  id: string;
  podId: string;
  tenantId: string;
  runId: string;
  /** null: the run has no volume. */
  volumeId: string | null;
  volumeGb: number | null;
  createdAt: Date;
}

/** The checkpoints that a machine has to save: the oldest of each tenant, then the next ones. */
export async function checkpointsToSave(sql: Pick<Pool, "query">, runnerId: string): Promise<CheckpointToSave[]> {
  const { rows } = await sql.query<CheckpointToSave>(
    `SELECT c.id, c.pod_id AS "podId", p.tenant_id AS "tenantId", r.id AS "runId", c.created_at AS "createdAt",
       r.volume_id AS "volumeId", p.volume_gb AS "volumeGb"
     FROM pod_checkpoints c JOIN pods p ON p.id = c.pod_id JOIN pod_runs r ON r.pod_id = c.pod_id AND r.number = c.run
     WHERE c.state = 'saving' AND r.runner_id = $1
     ORDER BY row_number() OVER (PARTITION BY p.tenant_id ORDER BY c.id), c.id LIMIT 100`,
    [runnerId],
  );
  return rows;
}

/** Checkpoints that a machine was to save that has not reported for 10 minutes. */
export async function lostCheckpoints(sql: Pick<Pool, "query">): Promise<{ id: string; podId: string }[]> {
  const { rows } = await sql.query<{ id: string; podId: string }>(
    `SELECT c.id, c.pod_id AS "podId"
     FROM pod_checkpoints c JOIN pod_runs r ON r.pod_id = c.pod_id AND r.number = c.run
     LEFT JOIN pod_runners m ON m.id = r.runner_id
     WHERE c.state = 'saving' AND (m.id IS NULL OR m.seen_at < now() - interval '10 minutes') LIMIT 100`,
  );
  return rows;
}
