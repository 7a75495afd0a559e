import type { Pool } from "pg";
import { UNKNOWN_KEPT_MS } from "./keep-unknown";

/** A volume on a machine that no record names, for operators. */
export interface UnknownVolumeLine {
  /** The name of a node that has joined, else the id of the machine. */
  machine: string;
  volume: string;
  kind: string;
  found_at: string;
  deleted_at: string;
}

/** The oldest first, at most 1,000. */
export async function listUnknownVolumes({ sql }: { sql: Pick<Pool, "query"> }): Promise<UnknownVolumeLine[]> {
  const { rows } = await sql.query<{ machine: string; volume: string; kind: string; foundAt: Date }>(
    `SELECT coalesce(n.name, u.runner_id) AS machine, u.id AS volume, u.kind, u.found_at AS "foundAt"
     FROM unknown_volumes u LEFT JOIN joined_nodes n ON n.id = u.runner_id ORDER BY u.found_at, u.id LIMIT 1000`,
  );
  return rows.map(({ foundAt, ...row }) => ({
    ...row,
    found_at: foundAt.toISOString(),
    deleted_at: new Date(foundAt.getTime() + UNKNOWN_KEPT_MS).toISOString(),
  }));
}
