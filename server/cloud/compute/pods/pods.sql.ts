import type { Pool } from "pg";
import type { PodKind } from "../../../engines/postgres/generated/client";

/** A run that its node has to look after. */
export interface RunToKeep {
  id: string;
  podId: string;
  tenantId: string;
  number: number;
  kind: PodKind;
  status: "pending" | "ready" | "reclaiming" | "stopping" | "stopped" | "completed" | "failed";
  isDeleted: boolean;
  stopRequestedAt: Date | null;
  /** The volume on its node. */
  volumeId: string | null;
  noticeAt: Date | null;
  /** When it is ended at the latest. */
  reclaimAt: Date | null;
  startedAt: Date | null;
  endedAt: Date | null;
}

/**
 * The runs of a node that have not ended, and those whose files are to be deleted: the files of a run are kept until a
 * later one has started, because that may start with them, and until their checkpoint is saved. Those of a sandbox and
 * of a function end with it, those of a workspace do not expire.
 */
export async function runsToKeep(sql: Pick<Pool, "query">, nodeId: string, now: Date): Promise<RunToKeep[]> {
  const { rows } = await sql.query<RunToKeep>({
    name: "pod_runs_to_keep",
    text: `SELECT r.id, r.pod_id AS "podId", p.tenant_id AS "tenantId", r.number, p.kind, p.status, p.deleted_at IS NOT NULL AS "isDeleted",
        p.stop_requested_at AS "stopRequestedAt", r.volume_id AS "volumeId", r.notice_at AS "noticeAt",
        r.reclaim_at AS "reclaimAt",
        r.started_at AS "startedAt", r.ended_at AS "endedAt"
      FROM pod_runs r JOIN pods p ON p.id = r.pod_id
      WHERE r.node_id = $1 AND r.removed_at IS NULL
        AND (r.ended_at IS NULL OR p.deleted_at IS NOT NULL OR p.kind IN ('sandbox', 'function')
          OR (
            ((p.expires_at <= $2 AND p.kind = 'pod') OR (r.number < p.run_number AND (r.started_at IS NULL OR EXISTS (
              SELECT FROM pod_runs n WHERE n.pod_id = r.pod_id AND n.number > r.number AND n.started_at IS NOT NULL))))
            AND NOT EXISTS (
              SELECT FROM pod_checkpoints c WHERE c.pod_id = r.pod_id AND c.run = r.number AND c.state = 'saving')
          ))
      ORDER BY r.created_at`,
    values: [nodeId, now],
  });
  return rows;
}

/** Records that runs were seen running. */
export async function recordObserved(sql: Pick<Pool, "query">, ids: readonly string[], at: Date): Promise<void> {
  if (ids.length === 0) return;
  await sql.query("UPDATE pod_runs SET observed_at = $2 WHERE id = ANY($1) AND ended_at IS NULL", [ids, at]);
}

/** Those of these workloads that are runs of this node whose files are still needed, and whether they have ended. */
export async function knownRuns(
  sql: Pick<Pool, "query">,
  nodeId: string,
  ids: readonly string[],
): Promise<Map<string, { isEnded: boolean }>> {
  if (ids.length === 0) return new Map();
  const { rows } = await sql.query<{ id: string; isEnded: boolean }>(
    `SELECT id, ended_at IS NOT NULL AS "isEnded" FROM pod_runs
     WHERE id = ANY($1) AND node_id = $2 AND removed_at IS NULL`,
    [ids, nodeId],
  );
  return new Map(rows.map(({ id, isEnded }) => [id, { isEnded }]));
}

/** Runs that have not ended on nodes that have not reported for 10 minutes. */
export async function abandonedRuns(sql: Pick<Pool, "query">): Promise<string[]> {
  const { rows } = await sql.query<{ id: string }>(
    `SELECT r.id FROM pod_runs r LEFT JOIN pod_nodes m ON m.id = r.node_id
     WHERE r.ended_at IS NULL AND r.node_id IS NOT NULL
       AND (m.id IS NULL OR m.seen_at < now() - interval '10 minutes') LIMIT 100`,
  );
  return rows.map(({ id }) => id);
}

/** A checkpoint whose files a node has. */
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

/** The checkpoints that a node has to save: the oldest of each tenant, then the next ones. */
export async function checkpointsToSave(sql: Pick<Pool, "query">, nodeId: string): Promise<CheckpointToSave[]> {
  const { rows } = await sql.query<CheckpointToSave>(
    `SELECT c.id, c.pod_id AS "podId", p.tenant_id AS "tenantId", r.id AS "runId", c.created_at AS "createdAt",
       r.volume_id AS "volumeId", p.volume_gb AS "volumeGb"
     FROM pod_checkpoints c JOIN pods p ON p.id = c.pod_id JOIN pod_runs r ON r.pod_id = c.pod_id AND r.number = c.run
     WHERE c.state = 'saving' AND r.node_id = $1
     ORDER BY row_number() OVER (PARTITION BY p.tenant_id ORDER BY c.id), c.id LIMIT 100`,
    [nodeId],
  );
  return rows;
}

/** Checkpoints that a node was to save that has not reported for 10 minutes. */
export async function lostCheckpoints(sql: Pick<Pool, "query">): Promise<{ id: string; podId: string }[]> {
  const { rows } = await sql.query<{ id: string; podId: string }>(
    `SELECT c.id, c.pod_id AS "podId"
     FROM pod_checkpoints c JOIN pod_runs r ON r.pod_id = c.pod_id AND r.number = c.run
     LEFT JOIN pod_nodes m ON m.id = r.node_id
     WHERE c.state = 'saving' AND (m.id IS NULL OR m.seen_at < now() - interval '10 minutes') LIMIT 100`,
  );
  return rows;
}

/** Those of these volumes that a run of this node needs. */
export async function knownVolumes(
  sql: Pick<Pool, "query">,
  nodeId: string,
  ids: readonly string[],
): Promise<Set<string>> {
  const { rows } = await sql.query<{ id: string }>(
    `SELECT DISTINCT r.volume_id AS id FROM pod_runs r
     WHERE r.pod_id IN (SELECT split_part(one, '-', 1) FROM unnest($1::text[]) one)
       AND r.volume_id = ANY($1) AND r.node_id = $2 AND r.removed_at IS NULL`,
    [ids, nodeId],
  );
  return new Set(rows.map(({ id }) => id));
}
