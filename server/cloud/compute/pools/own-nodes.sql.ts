import type { Mode, Prisma } from "../../../engines/postgres/generated/client";

/** A node that a tenant has for itself. */
export interface OwnNode {
  pool: string;
  node: string;
  /** The baremetal instance that has all of its GPUs. */
  rid: string;
  projectId: string;
  softwareVersion: string;
  simulated: boolean;
}

export interface OwnNodesOf {
  tenantId: string;
  mode: Mode;
  /** undefined: of all projects. */
  projectId: string | undefined;
}

/** The nodes on which baremetal instances of a tenant run that have all GPUs there, by name. */
export function ownNodes(
  db: Pick<Prisma.TransactionClient, "$queryRaw">,
  { tenantId, mode, projectId }: OwnNodesOf,
): Promise<OwnNode[]> {
  return db.$queryRaw`
    SELECT n.pool, n.node, s.id AS rid, s.project_id AS "projectId", n.software_version AS "softwareVersion", n.simulated
    FROM resources s
    JOIN pods p ON p.resource_id = s.id AND p.deleted_at IS NULL AND p.status IN ('ready', 'reclaiming', 'stopping')
    JOIN pod_runs r ON r.pod_id = p.id AND r.number = p.run_number AND r.ended_at IS NULL AND r.started_at IS NOT NULL
    JOIN gpu_nodes n ON n.pool = r.pool AND n.node = r.node AND n.gpus > 0 AND cardinality(r.devices) = n.gpus
    WHERE s.tenant_id = ${tenantId} AND s.mode = ${mode}::"Mode" AND s.plane = 'gpuc' AND s.service = 'baremetal'
      AND s.archived_at IS NULL AND (${projectId ?? null}::text IS NULL OR s.project_id = ${projectId ?? null})
    ORDER BY n.pool, n.node`;
}

/** The name of a node for tenants, such as `use/h100/h100-3`. */
export const nodeNameOf = ({ pool, node }: Pick<OwnNode, "pool" | "node">): string => `${pool}/${node}`;
