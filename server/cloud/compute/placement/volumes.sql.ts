import type { Prisma } from "../../../engines/postgres/generated/client";
import type { PodToPlace } from "./pod-to-place";

/** What the volumes of other pods, and shared ones, reserve on each node, in GiB. */
export async function usedVolumesGb(
  tx: Prisma.TransactionClient,
  { id }: Pick<PodToPlace, "id">,
): Promise<Map<string, number>> {
  const rows = await tx.$queryRaw<{ id: string; used: bigint }[]>`
    SELECT id, sum(gb) AS used FROM (
      SELECT r.node_id AS id, p.volume_gb AS gb
      FROM (SELECT DISTINCT node_id, pod_id FROM pod_runs
        WHERE removed_at IS NULL AND node_id IS NOT NULL AND pod_id <> ${id}) r
      JOIN pods p ON p.id = r.pod_id AND p.volume_gb IS NOT NULL
      UNION ALL SELECT node_id, capacity_gb FROM shared_volumes
    ) reserved GROUP BY id`;
  return new Map(rows.map(({ id: nodeId, used }) => [nodeId, Number(used)]));
}

/** Where the newest volume of a pod is. */
export interface VolumeHome {
  nodeId: string;
  /** Whether a checkpoint has all of it. */
  isSaved: boolean;
}

/** The node whose volume the current run of a pod continues with; undefined if it starts with another one. */
export async function volumeHome(
  tx: Prisma.TransactionClient,
  { id, runNumber }: Pick<PodToPlace, "id" | "runNumber">,
): Promise<VolumeHome | undefined> {
  const rows = await tx.$queryRaw<VolumeHome[]>`
    SELECT r.node_id AS "nodeId", EXISTS (
      SELECT FROM pod_checkpoints c WHERE c.pod_id = r.pod_id AND c.run = r.number AND c.state = 'saved'
        AND (c.cause = 'reclaim' OR c.created_at >= r.ended_at)) AS "isSaved"
    FROM pod_runs r
    WHERE r.pod_id = ${id} AND r.number < ${runNumber} AND r.started_at IS NOT NULL AND r.volume_id IS NOT NULL
      AND NOT EXISTS (SELECT FROM pod_runs n WHERE n.pod_id = ${id} AND n.number = ${runNumber} AND n.origin = 'checkpoint')
    ORDER BY r.number DESC LIMIT 1`;
  return rows[0];
}
