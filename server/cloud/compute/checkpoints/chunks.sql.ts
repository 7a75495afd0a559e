import type { Prisma } from "../../../engines/postgres/generated/client";

/** Later than this no backup and no restore that began before reads a chunk that nothing names. */
const REMOVAL_DELAY_MS = 15 * 60_000;

/** Plans the removal of the blobs of all chunks of a pod. The pod is locked. */
export async function removeAllChunks(tx: Prisma.TransactionClient, podId: string, now: Date): Promise<void> {
  const removeAt = new Date(now.getTime() + REMOVAL_DELAY_MS);
  await tx.$executeRaw`
    WITH gone AS (DELETE FROM pod_chunks WHERE pod_id = ${podId} RETURNING tenant_id, pod_id, id)
    INSERT INTO blob_removals (name, remove_at)
    SELECT tenant_id || '/' || pod_id || '/' || id, ${removeAt} FROM gone ON CONFLICT DO NOTHING`;
  await tx.$executeRaw`UPDATE pods SET checkpoint_bytes = 0 WHERE id = ${podId}`;
}

/**
 * Plans the removal of the chunks that no checkpoint of a pod names, unless one is being saved, which may use them: the
 * end of that does it. The pod is locked.
 */
export async function removeUnusedChunks(tx: Prisma.TransactionClient, podId: string, now: Date): Promise<void> {
  const removeAt = new Date(now.getTime() + REMOVAL_DELAY_MS);
  await tx.$executeRaw`
    WITH named AS (
      SELECT DISTINCT unnest(chunks || volume_chunks) AS digest FROM pod_checkpoints WHERE pod_id = ${podId}
    ), gone AS (
      DELETE FROM pod_chunks c
      WHERE c.pod_id = ${podId}
        AND NOT EXISTS (SELECT FROM pod_checkpoints s WHERE s.pod_id = ${podId} AND s.state = 'saving')
        AND NOT EXISTS (SELECT FROM named n WHERE n.digest = c.digest)
      RETURNING tenant_id, pod_id, id, stored_bytes
    ), planned AS (
      INSERT INTO blob_removals (name, remove_at)
      SELECT tenant_id || '/' || pod_id || '/' || id, ${removeAt} FROM gone ON CONFLICT DO NOTHING
    )
    UPDATE pods SET checkpoint_bytes = checkpoint_bytes - (SELECT COALESCE(sum(stored_bytes), 0) FROM gone)
    WHERE id = ${podId}`;
}

/** Deletes old checkpoints of a pod, of each state those before the newest `kept`, but none that a run is to start with. */
export async function removeOldCheckpoints(
  tx: Prisma.TransactionClient,
  { podId, kept }: { podId: string; kept: number },
): Promise<void> {
  await tx.$executeRaw`
    DELETE FROM pod_checkpoints WHERE id IN (
      SELECT id FROM (
        SELECT id, row_number() OVER (PARTITION BY state ORDER BY id DESC) AS place
        FROM pod_checkpoints WHERE pod_id = ${podId} AND state <> 'saving'
      ) ranked
      WHERE place > ${kept} AND NOT EXISTS (
        SELECT FROM pod_runs r WHERE r.pod_id = ${podId} AND r.checkpoint_id = ranked.id
          AND r.started_at IS NULL AND r.ended_at IS NULL
      ))`;
}
