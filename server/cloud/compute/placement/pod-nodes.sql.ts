import type { Pool } from "pg";
import { Prisma } from "../../../engines/postgres/generated/client";
import type { NodeGpuReport } from "../nodes/claimed-node";
import { FRESH_SECONDS } from "../pools/fleet";
import { POD_DISK_MB } from "./choose-node";

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

/** The nodes that report at present. The time is that of the database, so that clocks need not agree. */
export async function reportingNodes(sql: Pick<Pool, "query">): Promise<NodeReport[]> {
  const { rows } = await sql.query<NodeReport>(
    `SELECT ${NODE_COLUMNS} FROM pod_nodes WHERE seen_at > now() - make_interval(secs => ${FRESH_SECONDS}) ORDER BY id`,
  );
  return rows;
}

/** A node with a runtime, as far as placing needs it. */
export type CandidateNode = Pick<
  NodeReport,
  "id" | "kind" | "memoryMb" | "diskMb" | "reachesPorts" | "keepsVolumes" | "volumesGb" | "limitsVolumes"
>;

const TO_PLACE = Prisma.sql`id, kind, memory_mb AS "memoryMb", disk_mb AS "diskMb", reaches_ports AS "reachesPorts",
  keeps_volumes AS "keepsVolumes", volumes_gb AS "volumesGb", limits_volumes AS "limitsVolumes"`;

/**
 * The nodes that can be given workloads of a tenant (null: of any), locked until the transaction ends: fleet upgrades
 * have none of them in hand.
 */
export async function lockNodes(tx: Prisma.TransactionClient, tenantId: string | null): Promise<CandidateNode[]> {
  return tx.$queryRaw`${nodesFor(tenantId)} FOR NO KEY UPDATE OF pod_nodes`;
}

/** `lockNodes` without a lock, for what only reads. */
export async function readNodes(tx: Prisma.TransactionClient, tenantId: string | null): Promise<CandidateNode[]> {
  return tx.$queryRaw`${nodesFor(tenantId)}`;
}

const nodesFor = (tenantId: string | null) => Prisma.sql`
  SELECT ${TO_PLACE} FROM pod_nodes
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

/** What the runs of a node use; a node without runs is not in the map. */
export async function usedRooms(tx: Prisma.TransactionClient): Promise<Map<string, UsedRoom>> {
  const rows = await tx.$queryRaw<{ id: string; memoryMb: bigint; runs: bigint }[]>`
    SELECT r.node_id AS id, sum(p.memory_mb) AS "memoryMb", count(*) AS runs
    FROM pod_runs r JOIN pods p ON p.id = r.pod_id
    WHERE r.ended_at IS NULL AND r.node_id IS NOT NULL GROUP BY r.node_id`;
  return new Map(
    rows.map(({ id, memoryMb, runs }) => [id, { usedMb: Number(memoryMb), usedDiskMb: Number(runs) * POD_DISK_MB }]),
  );
}

export const NOTHING_USED: UsedRoom = { usedMb: 0, usedDiskMb: 0 };

/** Records that a node is there and what it can do; also what it cannot. */
export async function recordNodeReport(sql: Pick<Pool, "query">, node: NodeReport): Promise<void> {
  const { id, kind, isolation, limitsEnforced, reachesPorts, keepsVolumes, volumesGb, limitsVolumes, ...row } = node;
  const { reason, memoryMb, diskMb, address, gpus, hasNetworks, admittedOnly } = row;
  await sql.query(
    `INSERT INTO pod_nodes (id, kind, isolation, limits_enforced, reason, memory_mb, address, gpus, reaches_ports,
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
