import { keyRange } from "./key-range";
import type { ObjectStore } from "./object-store";
import type { BucketRef } from "./objects";

/** How many objects begin with a prefix, and their bytes; current versions only. */
export async function countObjects(
  { sql }: Pick<ObjectStore, "sql">,
  bucket: BucketRef,
  prefix: string,
): Promise<{ objects: number; bytes: number }> {
  const range = keyRange({ prefix, limit: 1 });
  if (!range) return { objects: 0, bytes: 0 };
  const { rows } = await sql.query<{ objects: number; bytes: number }>(
    `SELECT count(*)::float8 AS objects, coalesce(sum(size), 0)::float8 AS bytes FROM object_versions
     WHERE bucket_id = $1 AND key >= $2 COLLATE "C" AND key < $3 COLLATE "C" AND is_latest AND NOT is_delete_marker`,
    [bucket.id, range.lower, range.upper],
  );
  return rows[0] ?? { objects: 0, bytes: 0 };
}
