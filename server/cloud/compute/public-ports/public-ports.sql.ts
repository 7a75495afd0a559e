import type { Pool } from "pg";

/** A port that leads to a pod. */
export interface PortForward {
  /** Of the resource. */
  id: string;
  tenantId: string;
  projectId: string;
  mode: string;
  port: number;
  target: string;
  targetPort: number;
}

/** The ports that lead somewhere. */
export async function activePorts(sql: Pick<Pool, "query">): Promise<PortForward[]> {
  const { rows } = await sql.query<PortForward>(
    `SELECT resource_id AS id, tenant_id AS "tenantId", project_id AS "projectId", mode, port, target,
       target_port AS "targetPort"
     FROM public_ports WHERE ended_at IS NULL AND target IS NOT NULL ORDER BY port`,
  );
  return rows;
}

/** Records where a port listens, or why it does not. */
export async function openedPort(
  sql: Pick<Pool, "query">,
  id: string,
  { address, failure }: { address: string | null; failure: string | null },
): Promise<void> {
  await sql.query(
    `UPDATE public_ports SET address = $2, failure = $3 WHERE resource_id = $1 AND ended_at IS NULL
       AND (address IS DISTINCT FROM $2 OR failure IS DISTINCT FROM $3)`,
    [id, address, failure],
  );
}

/** Records that nothing listens on ports other than those of the resources. */
export async function closedPorts(sql: Pick<Pool, "query">, listening: readonly string[]): Promise<void> {
  await sql.query(
    `UPDATE public_ports SET address = NULL
     WHERE address IS NOT NULL AND (ended_at IS NOT NULL OR NOT (resource_id = ANY($1)))`,
    [listening],
  );
}

/**
 * The run of a pod, or of the pod of an instance, that goes on; undefined: none does, or the instance does not have the port
 * any more.
 */
export async function runOfTarget(
  sql: Pick<Pool, "query">,
  { target, targetPort, tenantId, projectId, mode }: Omit<PortForward, "id" | "port">,
): Promise<{ id: string; nodeId: string } | undefined> {
  const { rows } = await sql.query<{ id: string; nodeId: string }>(
    `SELECT r.id, r.node_id AS "nodeId" FROM pods p JOIN pod_runs r ON r.pod_id = p.id
     WHERE (p.id = $1 OR p.resource_id = $1) AND p.tenant_id = $2 AND p.project_id = $3 AND p.mode::text = $4
       AND p.kind = 'pod' AND p.deleted_at IS NULL AND (p.resource_id IS NULL OR $5 = ANY(p.ports))
       AND r.started_at IS NOT NULL AND r.ended_at IS NULL LIMIT 1`,
    [target, tenantId, projectId, mode, targetPort],
  );
  return rows[0];
}
