import type { Pool, PoolClient } from "pg";

type Sql = Pick<Pool | PoolClient, "query">;

/** The name that an import holds for its campaign, as long as its process and its connection live (see ClaimSession). */
export const importClaimOf = (campaignId: string): string => `product-import:campaign:${campaignId}`;

/** Marks that products of an import are stored which are not to be served yet; part of the transaction of the first. */
export async function beginImport(sql: Sql, { campaignId, now }: { campaignId: string; now: Date }): Promise<void> {
  await sql.query("UPDATE campaigns SET importing_since = $2 WHERE id = $1", [campaignId, now]);
}

/** Ends the mark: what is stored is served from the commit on. */
export async function endImport(sql: Sql, campaignId: string): Promise<void> {
  await sql.query("UPDATE campaigns SET importing_since = NULL WHERE id = $1", [campaignId]);
}

/** Nobody holds the claim of an import that ended or was killed. The order of a CASE is that of its branches. */
const IS_DEAD = `CASE WHEN importing_since IS NULL THEN false
  ELSE pg_try_advisory_xact_lock(hashtextextended('${importClaimOf("")}' || id, 0)) END`;

/** Ends the marks of imports whose process was killed. A statement without a row to change would still wake rounds. */
export async function endDeadImports(sql: Sql, campaignIds: readonly string[]): Promise<void> {
  if (campaignIds.length === 0) return;
  const { rowCount } = await sql.query(`SELECT FROM campaigns WHERE id = ANY($1) AND ${IS_DEAD}`, [campaignIds]);
  if (!rowCount) return;
  await sql.query(`UPDATE campaigns SET importing_since = NULL WHERE id = ANY($1) AND ${IS_DEAD}`, [campaignIds]);
}
