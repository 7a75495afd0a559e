import type { Prisma } from "../../../engines/postgres/generated/client";
import type { Mode } from "../../../operation/actor";
import { gpuShareWeights } from "../pools/gpu-share-weight";
import { FairQueue, type HeldGpus, type WaitingRun } from "./fair-queue";

/** The run of a pod that waits for capacity, and the gang with which it is placed. */
export interface WaitingPod extends WaitingRun {
  id: string;
  podId: string;
  projectId: string;
  mode: Mode;
  gangName: string | null;
}

/** How many runs a round tries; the others follow. */
export const RUNS_PER_ROUND = 200;

/** Runs that wait: the oldest of each tenant, on-demand ones first, so that no tenant's keep out those of others. */
export async function waitingRuns(db: Pick<Prisma.TransactionClient, "$queryRaw">): Promise<WaitingPod[]> {
  return db.$queryRaw`
    SELECT id, "podId", "tenantId", "projectId", mode::text AS mode, "gangName", spot, pool, "gpuCount", "createdAt"
    FROM (
      SELECT r.id, p.id AS "podId", p.tenant_id AS "tenantId", p.project_id AS "projectId", p.mode,
        p.gang_name AS "gangName", p.spot, p.region || '/' || p.gpu || CASE p.mode WHEN 'live' THEN '/live' ELSE '' END AS pool, p.gpu_count AS "gpuCount",
        r.created_at AS "createdAt", row_number() OVER (PARTITION BY p.tenant_id, p.spot ORDER BY r.created_at) AS turn
      FROM pod_runs r JOIN pods p ON p.id = r.pod_id
      WHERE r.node_id IS NULL AND r.ended_at IS NULL
    ) AS waiting
    ORDER BY spot, turn, "createdAt" LIMIT ${RUNS_PER_ROUND}`;
}

/** The order in which runs that wait are tried. */
export async function fairQueue(
  db: Pick<Prisma.TransactionClient, "$queryRaw" | "quota">,
  waiting: readonly WaitingPod[],
): Promise<FairQueue<WaitingPod>> {
  const weights = await gpuShareWeights(
    db,
    waiting.map(({ tenantId }) => tenantId),
  );
  return new FairQueue(waiting, await heldGpus(db), weights);
}

/** What tenants hold of the pools, without what they have reserved. */
async function heldGpus(db: Pick<Prisma.TransactionClient, "$queryRaw">): Promise<HeldGpus[]> {
  return db.$queryRaw`
    SELECT p.tenant_id AS "tenantId", d.pool, count(*)::int AS gpus
    FROM gpu_devices d JOIN pod_runs r ON r.id = d.run_id JOIN pods p ON p.id = r.pod_id
    WHERE p.reservation_id IS NULL GROUP BY p.tenant_id, d.pool`;
}
