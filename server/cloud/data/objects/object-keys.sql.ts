import type { Pool } from "pg";
import type { StoredEncryption } from "./encryption";

/** What has data keys: versions of objects, and uploads in parts. */
export const KEY_TABLES = ["object_versions", "object_uploads"] as const;
export type KeyTable = (typeof KEY_TABLES)[number];

export interface KeyRow {
  id: string;
  encryption: StoredEncryption;
}

/** Rows with a data key under a key of this installation, by id behind `after`. */
export async function readKeysAfter(
  sql: Pool,
  table: KeyTable,
  { after, max }: { after: string; max: number },
): Promise<KeyRow[]> {
  const { rows } = await sql.query<KeyRow>(
    `SELECT id, encryption FROM ${table} WHERE id > $1 AND encryption ->> 'algorithm' = 'AES256' ORDER BY id LIMIT $2`,
    [after, max],
  );
  return rows;
}

/** Stores data keys that were wrapped again, of rows that still have the one before; returns how many. */
export async function storeKeys(
  sql: Pool,
  table: KeyTable,
  keys: readonly { id: string; before: StoredEncryption; after: StoredEncryption }[],
): Promise<number> {
  const { rowCount } = await sql.query(
    `UPDATE ${table} t SET encryption = new.after
     FROM unnest($1::text[], $2::jsonb[], $3::jsonb[]) AS new(id, before, after)
     WHERE t.id = new.id AND t.encryption = new.before`,
    [
      keys.map(({ id }) => id),
      keys.map(({ before }) => JSON.stringify(before)),
      keys.map(({ after }) => JSON.stringify(after)),
    ],
  );
  return rowCount ?? 0;
}
