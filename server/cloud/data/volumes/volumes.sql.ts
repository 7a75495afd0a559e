import type { Pool } from "pg";
import type { Prisma, SharedVolume } from "../../../engines/postgres/generated/client";

/** Locks a shared volume until the transaction ends; undefined if there is none. */
export async function lockVolume(tx: Prisma.TransactionClient, id: string): Promise<SharedVolume | undefined> {
  await tx.$queryRaw`SELECT id FROM shared_volumes WHERE id = ${id} FOR NO KEY UPDATE`;
  return (await tx.sharedVolume.findUnique({ where: { id } })) ?? undefined;
}

/** Keeps shared volumes from being deleted until the transaction ends. */
export async function holdVolumes(tx: Prisma.TransactionClient, ids: readonly string[]): Promise<void> {
  await tx.$queryRaw`SELECT id FROM shared_volumes WHERE id = ANY(${[...ids]}) ORDER BY id FOR SHARE`;
}

const MOUNTS_IT = "p.mounts @> jsonb_build_array(jsonb_build_object('volume', v.id))";

/** How many pods of each volume wait, run or end. */
export async function mountCounts(sql: Pick<Pool, "query">, ids: readonly string[]): Promise<Map<string, number>> {
  const { rows } = await sql.query<{ id: string; pods: number }>(
    `SELECT v.id, count(*)::int AS pods FROM shared_volumes v JOIN pods p ON ${MOUNTS_IT}
     WHERE v.id = ANY($1) AND p.status IN ('pending', 'ready', 'reclaiming', 'stopping') AND p.deleted_at IS NULL
     GROUP BY v.id`,
    [ids],
  );
  return new Map(rows.map(({ id, pods }) => [id, pods]));
}

/** The ids of pods that wait, run or end with a volume, the oldest first. */
export async function podsWithVolume(tx: Prisma.TransactionClient, id: string, limit: number): Promise<string[]> {
  const mounted = JSON.stringify([{ volume: id }]);
  const rows = await tx.$queryRaw<{ id: string }[]>`
    SELECT id FROM pods WHERE mounts @> ${mounted}::jsonb AND deleted_at IS NULL
      AND status IN ('pending', 'ready', 'reclaiming', 'stopping') ORDER BY id LIMIT ${limit}`;
  return rows.map((row) => row.id);
}

/** What a node has to do about a shared volume. */
export interface DueVolume {
  id: string;
  tenantId: string;
  state: "making" | "made" | "deleting";
  capacityGb: number;
  /** null: it has made nothing yet. */
  madeGb: number | null;
  throughputMbps: number | null;
  snapshotId: string | null;
}

/** What is due on a node; a deletion when no run has the volume any more. */
export async function dueVolumes(sql: Pick<Pool, "query">, nodeId: string): Promise<DueVolume[]> {
  const { rows } = await sql.query<DueVolume>({
    name: "due_shared_volumes",
    text: `SELECT v.id, v.tenant_id AS "tenantId", v.state, v.capacity_gb AS "capacityGb", v.snapshot_id AS "snapshotId",
        v.made_gb AS "madeGb", v.throughput_mbps AS "throughputMbps" FROM shared_volumes v
      WHERE v.node_id = $1 AND (
        v.failure IS NULL AND (v.state = 'making' OR v.state = 'made' AND
          (v.made_gb < v.capacity_gb OR v.limited_mbps IS DISTINCT FROM v.throughput_mbps))
        OR v.state = 'deleting' AND NOT EXISTS (
          SELECT FROM pods p JOIN pod_runs r ON r.pod_id = p.id
          WHERE ${MOUNTS_IT} AND r.ended_at IS NULL AND r.node_id = $1))
      ORDER BY v.id`,
    values: [nodeId],
  });
  return rows;
}

/** A snapshot that a node has to save. */
export interface DueSnapshot {
  id: string;
  volumeId: string;
  tenantId: string;
  capacityGb: number;
}

export async function dueSnapshots(sql: Pick<Pool, "query">, nodeId: string): Promise<DueSnapshot[]> {
  const { rows } = await sql.query<DueSnapshot>({
    name: "due_volume_snapshots",
    text: `SELECT s.id, s.volume_id AS "volumeId", s.tenant_id AS "tenantId", s.capacity_gb AS "capacityGb"
      FROM volume_snapshots s JOIN shared_volumes v ON v.id = s.volume_id
      WHERE s.state = 'saving' AND v.node_id = $1 ORDER BY s.id`,
    values: [nodeId],
  });
  return rows;
}

/** The volumes that a node has, or had. */
export async function keptVolumes(sql: Pick<Pool, "query">, nodeId: string): Promise<string[]> {
  const { rows } = await sql.query<{ id: string }>(
    "SELECT id FROM shared_volumes WHERE node_id = $1 AND state IN ('made', 'lost')",
    [nodeId],
  );
  return rows.map(({ id }) => id);
}

/** Records which volumes a node does not have any more, and which it has again. */
export async function recordLostVolumes(
  sql: Pick<Pool, "query">,
  { lost, found }: { lost: readonly string[]; found: readonly string[] },
): Promise<void> {
  await sql.query("UPDATE shared_volumes SET state = 'lost' WHERE state = 'made' AND id = ANY($1)", [lost]);
  await sql.query("UPDATE shared_volumes SET state = 'made' WHERE state = 'lost' AND id = ANY($1)", [found]);
}

/** Ends the snapshots whose node has not reported for 10 minutes. */
export async function failLostSnapshots(sql: Pick<Pool, "query">): Promise<void> {
  await sql.query(
    `UPDATE volume_snapshots s SET state = 'failed', reason_code = 'node_lost',
       reason_text = 'The node with the volume has not reported for 10 minutes.'
     FROM shared_volumes v JOIN pod_nodes m ON m.id = v.node_id
     WHERE s.state = 'saving' AND v.id = s.volume_id AND m.seen_at < now() - interval '10 minutes'`,
  );
}

/** Those of these volumes that a node is to have. */
export async function wantedVolumes(
  sql: Pick<Pool, "query">,
  nodeId: string,
  ids: readonly string[],
): Promise<Set<string>> {
  if (ids.length === 0) return new Set();
  const { rows } = await sql.query<{ id: string }>(
    "SELECT id FROM shared_volumes WHERE node_id = $1 AND id = ANY($2)",
    [nodeId, ids],
  );
  return new Set(rows.map(({ id }) => id));
}
