import type { Pool } from "pg";
import type { Mode } from "../../../operation/actor";

/** Whose cache, and which request; `key` is a keyed hash. */
export interface CacheKey {
  projectId: string;
  mode: Mode;
  key: string;
}

/** Uses within this time are not recorded. */
const USED_EVERY_MS = 60_000;

export async function readCached(
  sql: Pool,
  { projectId, mode, key }: CacheKey,
  now: Date,
): Promise<string | undefined> {
  const { rows } = await sql.query<{ value: string; used_at: Date }>({
    name: "chat_cache_read",
    text: `SELECT value, used_at FROM chat_cache
      WHERE project_id = $1 AND mode = $2::"Mode" AND key = $3 AND expires_at > $4`,
    values: [projectId, mode, key, now],
  });
  const [found] = rows;
  if (found && now.getTime() - found.used_at.getTime() > USED_EVERY_MS) {
    await sql.query(`UPDATE chat_cache SET used_at = $4 WHERE project_id = $1 AND mode = $2::"Mode" AND key = $3`, [
      projectId,
      mode,
      key,
      now,
    ]);
  }
  return found?.value;
}

export interface StoredCached extends CacheKey {
  value: string;
  bytes: number;
  now: Date;
  expiresAt: Date;
}

/** Stores an answer, then deletes those of the project that were not used for longest, beyond `bytesMax`. */
export async function storeCached(sql: Pool, stored: StoredCached, bytesMax: number): Promise<void> {
  const { projectId, mode, key, value, bytes, now, expiresAt } = stored;
  await sql.query(
    `INSERT INTO chat_cache (project_id, mode, key, value, bytes, stored_at, used_at, expires_at)
     VALUES ($1, $2::"Mode", $3, $4, $5, $6, $6, $7)
     ON CONFLICT (project_id, mode, key) DO UPDATE SET value = excluded.value, bytes = excluded.bytes,
       stored_at = excluded.stored_at, used_at = excluded.used_at, expires_at = excluded.expires_at`,
    [projectId, mode, key, value, bytes, now, expiresAt],
  );
  await sql.query(
    `DELETE FROM chat_cache c USING (
       SELECT key, sum(bytes) OVER (ORDER BY used_at DESC, key) AS until FROM chat_cache
       WHERE project_id = $1 AND mode = $2::"Mode"
     ) old WHERE c.project_id = $1 AND c.mode = $2::"Mode" AND c.key = old.key AND old.until > $3`,
    [projectId, mode, bytesMax],
  );
}

/** Deletes what has expired, then what was not used for longest beyond `bytesMax` in the whole installation. */
export async function deleteCached(sql: Pool, now: Date, bytesMax: number): Promise<void> {
  await sql.query("DELETE FROM chat_cache WHERE expires_at <= $1", [now]);
  await sql.query(
    `DELETE FROM chat_cache c USING (
       SELECT project_id, mode, key, sum(bytes) OVER (ORDER BY used_at DESC, key) AS until FROM chat_cache
     ) old WHERE c.project_id = old.project_id AND c.mode = old.mode AND c.key = old.key AND old.until > $1`,
    [bytesMax],
  );
}
