import type { Pool } from "pg";
import { UNKNOWN_KEPT_MS } from "./quarantine-unknown";

/** A volume, network or database that no record names, or how many blobs no object has; for operators. */
export interface UnknownLine {
  /** The name of a joined node, else the id of the node, `postgresql` or `object storage`. */
  node: string;
  /** The id; of blobs their number. */
  what: string;
  kind: string;
  found_at: string;
  deleted_at: string;
}

/** The oldest first, at most 1,000. */
export async function listUnknown({ sql }: { sql: Pick<Pool, "query"> }): Promise<UnknownLine[]> {
  const { rows } = await sql.query<{ node: string; what: string; kind: string; foundAt: Date }>(
    `SELECT coalesce(n.name, u.node_id) AS node, u.id AS what, u.kind, u.found_at AS "foundAt"
     FROM quarantine u LEFT JOIN joined_nodes n ON n.id = u.node_id
     UNION ALL SELECT 'object storage', count(*) || ' blobs', 'blobs', min(found_at) FROM unknown_blobs HAVING count(*) > 0
     ORDER BY "foundAt", what LIMIT 1000`,
  );
  return rows.map(({ foundAt, ...row }) => ({
    ...row,
    found_at: foundAt.toISOString(),
    deleted_at: new Date(foundAt.getTime() + UNKNOWN_KEPT_MS).toISOString(),
  }));
}
