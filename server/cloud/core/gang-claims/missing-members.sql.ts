import type { Mode, Prisma } from "../../../engines/postgres/generated/client";

/** A gang of which a pod waits, and what it lacks. */
export interface MissingMembers {
  projectId: string;
  mode: Mode;
  gangName: string;
  /** Pods that neither wait nor run. */
  inactive: number;
  /** Pods that do not exist. */
  absent: number;
  gpu: string | null;
  region: string | null;
  gpuCount: number;
  spot: boolean;
  reservationId: string | null;
  /** GiB of the smallest volume of its pods; 0: one of them has none. */
  volumeGb: number;
}

/** The gangs of a tenant of which a pod waits while others of them are missing. */
export function missingMembers(
  tx: Pick<Prisma.TransactionClient, "$queryRaw">,
  tenantId: string,
): Promise<MissingMembers[]> {
  return tx.$queryRaw<MissingMembers[]>`
    SELECT "projectId", mode::text AS mode, "gangName", gpu, region, "gpuCount", spot, "reservationId", "volumeGb",
      greatest(0, size - active)::int AS inactive, greatest(0, size - all_pods)::int AS absent
    FROM (
      SELECT project_id AS "projectId", mode, gang_name AS "gangName",
        count(*) AS all_pods, coalesce(min(volume_gb), 0) * (count(*) = count(volume_gb))::int AS "volumeGb",
        count(*) FILTER (WHERE status IN ('pending', 'ready', 'reclaiming')) AS active,
        max(gang_size) FILTER (WHERE status = 'pending') AS size,
        max(gpu) FILTER (WHERE status = 'pending') AS gpu,
        max(region) FILTER (WHERE status = 'pending') AS region,
        max(gpu_count) FILTER (WHERE status = 'pending') AS "gpuCount",
        bool_or(spot) FILTER (WHERE status = 'pending') AS spot,
        max(reservation_id) FILTER (WHERE status = 'pending') AS "reservationId"
      FROM pods
      WHERE tenant_id = ${tenantId} AND gang_name IS NOT NULL AND deleted_at IS NULL
      GROUP BY project_id, mode, gang_name
    ) gangs
    WHERE size > active`;
}
