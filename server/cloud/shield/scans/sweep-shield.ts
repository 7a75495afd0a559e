import type { Pool } from "pg";
import type { Clock } from "../../../kernel/clock";

const DAY_MS = 24 * 3600 * 1000;
const RESOLVED_DAYS = 30;
const SCANS_DAYS = 90;
/** Rows of one statement, so that none takes long; the next run goes on. */
const ROWS_MAX = 50_000;

/** Deletes findings and objects of deleted buckets, findings resolved a month ago, and scans that ended 90 days ago. */
export async function sweepShield({ sql, clock }: { sql: Pool; clock: Clock }): Promise<void> {
  const before = (days: number) => new Date(clock.now().getTime() - days * DAY_MS);
  for (const table of ["shield_findings", "shield_objects"]) {
    await sql.query(
      `DELETE FROM ${table} WHERE ctid = ANY (ARRAY(SELECT t.ctid FROM ${table} t
         WHERE NOT EXISTS (SELECT FROM buckets b WHERE b.id = t.bucket_id) LIMIT ${ROWS_MAX}))`,
    );
  }
  await sql.query("DELETE FROM shield_findings WHERE resolved_at < $1", [before(RESOLVED_DAYS)]);
  await sql.query("DELETE FROM shield_scans WHERE finished_at < $1", [before(SCANS_DAYS)]);
}
