import type { Pool } from "pg";

/** What still shows a resource after its deletion: references to it, and what was metered of it. */
const IS_UNUSED = [
  "resource_references WHERE to_id = r.id",
  "pods WHERE resource_id = r.id",
  "pods WHERE replica_of = r.id",
  "shared_volume_capacities WHERE volume_id = r.id",
  "public_ports WHERE resource_id = r.id",
]
  .map((rows) => `NOT EXISTS (SELECT FROM ${rows})`)
  .join(" AND ");

/**
 * Deletes the records of up to `limit` resources that were deleted before a time and that nothing shows any more. Returns
 * how many there were.
 */
export async function deleteArchived(
  sql: Pick<Pool, "query">,
  { before, limit }: { before: Date; limit: number },
): Promise<number> {
  const { rowCount } = await sql.query(
    `DELETE FROM resources WHERE id IN (
       SELECT id FROM resources r WHERE archived_at < $1 AND ${IS_UNUSED} LIMIT $2 FOR UPDATE SKIP LOCKED
     )`,
    [before, limit],
  );
  return rowCount ?? 0;
}
