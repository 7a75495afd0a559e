import type { Pool } from "pg";

/** What volumes of a machine take, and all that it has. */
export interface VolumeUse {
  runnerId: string;
  bytes: ReadonlyMap<string, number>;
  ids: readonly string[];
}

/** Records what volumes take, and which are gone. Returns by how much what each tenant has on the machine has changed. */
export async function recordVolumeUse(
  sql: Pick<Pool, "query">,
  { runnerId, bytes, ids }: VolumeUse,
): Promise<{ tenantId: string; addedBytes: number }[]> {
  const { rows } = await sql.query<{ tenantId: string; addedBytes: number }>({
    name: "record_volume_use",
    // The volume of a pod is called as the run that made it, `<pod>-<number>`; one that nobody owns is deleted later.
    text: `WITH used AS (
        SELECT u.id, u.bytes, coalesce(v.tenant_id, p.tenant_id) AS tenant_id
        FROM unnest($2::text[], $3::bigint[]) AS u(id, bytes)
        LEFT JOIN shared_volumes v ON v.id = u.id LEFT JOIN pods p ON p.id = split_part(u.id, '-', 1)
      ), before AS (SELECT id, bytes FROM volume_uses WHERE runner_id = $1),
      gone AS (DELETE FROM volume_uses WHERE runner_id = $1 AND NOT id = ANY($4) RETURNING tenant_id, -bytes AS bytes),
      noted AS (
        INSERT INTO volume_uses (runner_id, id, tenant_id, bytes)
        SELECT $1, id, tenant_id, bytes FROM used WHERE tenant_id IS NOT NULL
        ON CONFLICT (runner_id, id) DO UPDATE SET bytes = excluded.bytes RETURNING id, tenant_id, bytes
      )
      SELECT tenant_id AS "tenantId", sum(bytes)::float8 AS "addedBytes" FROM (
        SELECT tenant_id, bytes FROM gone
        UNION ALL SELECT n.tenant_id, n.bytes - coalesce(b.bytes, 0) FROM noted n LEFT JOIN before b USING (id)
      ) changes GROUP BY tenant_id`,
    values: [runnerId, [...bytes.keys()], [...bytes.values()], ids],
  });
  return rows;
}
