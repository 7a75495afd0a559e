import type { Pool } from "pg";
import { inTransaction } from "../../../engines/postgres/in-transaction";
import { lockName } from "../../../engines/postgres/named-lock";
import { quotaExceeded } from "../../../identity/quotas/quota";
import type { Owner } from "../../../operation/actor";
import { EDGE_QUOTAS } from "./workers.quotas";

export interface StoredDatabase {
  id: string;
  sealedPassword: string;
  /** It is on the server, where a restored backup does not bring it, and is not being deleted. */
  isReady: boolean;
}

export async function databaseByName(
  sql: Pool,
  { projectId, mode }: Pick<Owner, "projectId" | "mode">,
  name: string,
): Promise<StoredDatabase | undefined> {
  const { rows } = await sql.query<StoredDatabase>({
    name: "edge_sql_database",
    text: `SELECT id, sealed_password AS "sealedPassword",
        is_ready AND EXISTS (SELECT 1 FROM pg_database WHERE datname = 'svc_' || edge_sql_databases.id) AS "isReady"
      FROM edge_sql_databases WHERE project_id = $1 AND mode = $2::"Mode" AND name = $3`,
    values: [projectId, mode, name],
  });
  return rows[0];
}

interface NewDatabase extends Owner {
  id: string;
  name: string;
  sealedPassword: string;
  createdAt: Date;
}

/**
 * Adds the row of a database unless there is one of the name. Throws `quota_exceeded`. It has a transaction and a lock of
 * its own: that of the caller may have the tenant's lock, and ends only after the database was created.
 */
export function addDatabase(sql: Pool, { id, tenantId, projectId, mode, name, ...row }: NewDatabase): Promise<void> {
  const quota = EDGE_QUOTAS.edge_databases;
  return inTransaction(sql, async (client) => {
    await lockName(client, `edge databases ${tenantId}`);
    const { rows } = await client.query<{ used: number; limit: number | null }>(
      `SELECT (SELECT count(*)::int FROM edge_sql_databases WHERE tenant_id = $1) AS used,
        (SELECT q."limit"::float8 FROM quotas q WHERE q.tenant_id = $1 AND q.resource = $2) AS "limit"`,
      [tenantId, quota.resource],
    );
    const [{ used, limit } = { used: 0, limit: null }] = rows;
    if (used >= (limit ?? quota.defaultLimit)) throw quotaExceeded(quota, limit ?? quota.defaultLimit);
    await client.query(
      `INSERT INTO edge_sql_databases (id, tenant_id, project_id, mode, name, sealed_password, is_ready, created_at)
        VALUES ($1, $2, $3, $4::"Mode", $5, $6, false, $7) ON CONFLICT (project_id, mode, name) DO NOTHING`,
      [id, tenantId, projectId, mode, name, row.sealedPassword, row.createdAt],
    );
  });
}

/** Whether a version of a function binds the database `d`. */
const IS_BOUND = `EXISTS (
  SELECT 1 FROM edge_functions f JOIN edge_versions v ON v.edge_id = f.id
  WHERE f.project_id = d.project_id AND f.mode = d.mode
    AND v.bindings @> jsonb_build_array(jsonb_build_object('type', 'sql', 'database', d.name)))`;

/** Notes since when databases have been without a function. */
export async function markUnbound(sql: Pool, now: Date): Promise<void> {
  await sql.query(
    `UPDATE edge_sql_databases e SET unbound_since = CASE WHEN b.is_bound THEN NULL ELSE $1::timestamptz END
      FROM (SELECT d.id, ${IS_BOUND} AS is_bound FROM edge_sql_databases d) b
      WHERE b.id = e.id AND b.is_bound = (e.unbound_since IS NOT NULL)`,
    [now],
  );
}

/** The ids of databases that have been without a function since before a time. */
export async function unboundSince(sql: Pool, { before, max }: { before: Date; max: number }): Promise<string[]> {
  const { rows } = await sql.query<{ id: string }>(
    "SELECT id FROM edge_sql_databases WHERE unbound_since < $1 ORDER BY unbound_since LIMIT $2",
    [before, max],
  );
  return rows.map(({ id }) => id);
}

/** Ends the use of a database that is still without a function, before it is deleted. Returns whether it is. */
export async function retireUnbound(sql: Pool, { id, before }: { id: string; before: Date }): Promise<boolean> {
  const { rowCount } = await sql.query(
    `UPDATE edge_sql_databases d SET is_ready = false WHERE d.id = $1 AND d.unbound_since < $2 AND NOT ${IS_BOUND}`,
    [id, before],
  );
  return rowCount === 1;
}

/** Those of some databases that have a record. */
export async function recorded(sql: Pool, ids: readonly string[]): Promise<string[]> {
  if (ids.length === 0) return [];
  const { rows } = await sql.query<{ id: string }>("SELECT id FROM edge_sql_databases WHERE id = ANY($1)", [ids]);
  return rows.map(({ id }) => id);
}

/** The databases with a record that are on the server. */
export async function recordedOnServer(sql: Pool): Promise<string[]> {
  const { rows } = await sql.query<{ id: string }>(
    "SELECT e.id FROM edge_sql_databases e JOIN pg_database d ON d.datname = 'svc_' || e.id",
  );
  return rows.map(({ id }) => id);
}
