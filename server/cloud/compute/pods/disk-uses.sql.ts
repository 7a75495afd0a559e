import type { Pool } from "pg";

/** What volumes or pods of a node take on its disk. */
export interface DiskUse {
  nodeId: string;
  noun: "volumes" | "pods";
  /** Of those that have changed. */
  bytes: ReadonlyMap<string, number>;
  /** Of all that it has. */
  ids: readonly string[];
}

/** Records what has changed, and what is gone. Returns by how much what each tenant has on the node has changed. */
export async function recordDiskUse(
  sql: Pick<Pool, "query">,
  { nodeId, noun, bytes, ids }: DiskUse,
): Promise<{ tenantId: string; addedBytes: number }[]> {
  const { rows } = await sql.query<{ tenantId: string; addedBytes: number }>({
    name: "record_disk_use",
    // Runs are called `<pod>-<number>`, and so is the volume that one has made. Those without an owner are deleted later.
    text: `WITH used AS (
        SELECT u.id, u.bytes, coalesce(v.tenant_id, p.tenant_id) AS tenant_id
        FROM unnest($3::text[], $4::bigint[]) AS u(id, bytes)
        LEFT JOIN shared_volumes v ON v.id = u.id LEFT JOIN pods p ON p.id = split_part(u.id, '-', 1)
      ), before AS (SELECT id, bytes FROM disk_uses WHERE node_id = $1 AND noun = $2),
      gone AS (
        DELETE FROM disk_uses WHERE node_id = $1 AND noun = $2 AND NOT id = ANY($5) RETURNING tenant_id, -bytes AS bytes
      ), noted AS (
        INSERT INTO disk_uses (node_id, noun, id, tenant_id, bytes)
        SELECT $1, $2, id, tenant_id, bytes FROM used WHERE tenant_id IS NOT NULL
        ON CONFLICT (node_id, noun, id) DO UPDATE SET bytes = excluded.bytes RETURNING id, tenant_id, bytes
      )
      SELECT tenant_id AS "tenantId", sum(bytes)::float8 AS "addedBytes" FROM (
        SELECT tenant_id, bytes FROM gone
        UNION ALL SELECT n.tenant_id, n.bytes - coalesce(b.bytes, 0) FROM noted n LEFT JOIN before b USING (id)
      ) changes GROUP BY tenant_id`,
    values: [nodeId, noun, [...bytes.keys()], [...bytes.values()], ids],
  });
  return rows;
}
