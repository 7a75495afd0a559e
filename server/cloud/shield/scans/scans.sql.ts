import type { Pool, PoolClient } from "pg";
import type { Prisma, PrismaClient, ShieldScan as ScanRow } from "../../../engines/postgres/generated/client";

/** How long a process has a scan without a sign of life; then another one continues it. */
export const LEASE_MS = 30_000;

/** When a scan can be taken. */
export const NEXT_SCAN =
  "SELECT min(coalesce(claimed_until, to_timestamp(0))) FROM shield_scans WHERE finished_at IS NULL";

/** Locks a scan until the transaction ends. */
export async function lockScan(tx: Prisma.TransactionClient, id: string): Promise<void> {
  await tx.$queryRaw`SELECT id FROM shield_scans WHERE id = ${id} FOR UPDATE`;
}

/** Takes the scan that has waited longest for its turn; undefined if there is none. */
export async function claimScan(
  { sql, db }: { sql: Pool; db: PrismaClient },
  { claim, now }: { claim: string; now: Date },
): Promise<ScanRow | undefined> {
  const until = new Date(now.getTime() + LEASE_MS);
  const { rows } = await sql.query<{ id: string }>(
    `UPDATE shield_scans SET status = 'running', claim = $1, claimed_until = $3, turn_at = $2,
       started_at = coalesce(started_at, $2), attempts = attempts + 1, batch_bytes = 0
     WHERE id = (SELECT id FROM shield_scans
       WHERE finished_at IS NULL AND (claimed_until IS NULL OR claimed_until <= $2)
       ORDER BY turn_at NULLS FIRST, id LIMIT 1 FOR UPDATE SKIP LOCKED)
     RETURNING id`,
    [claim, now, until],
  );
  const id = rows[0]?.id;
  return id === undefined ? undefined : db.shieldScan.findUniqueOrThrow({ where: { id } });
}

/** A scan that a process has. */
export interface Claimed {
  id: string;
  claim: string;
}

/** Extends the lease and shows the progress of the batch. Returns false if the scan was canceled or taken over. */
export async function renewClaim(
  sql: Pool,
  { id, claim }: Claimed,
  { now, batchBytes }: { now: Date; batchBytes: number },
): Promise<boolean> {
  const { rowCount } = await sql.query(
    "UPDATE shield_scans SET claimed_until = $3, batch_bytes = $4 WHERE id = $1 AND claim = $2 AND finished_at IS NULL",
    [id, claim, new Date(now.getTime() + LEASE_MS), batchBytes],
  );
  return rowCount === 1;
}

/** Gives a scan back, so that another turn continues it, not before `until`. */
export async function releaseClaim(sql: Pool, { id, claim }: Claimed, until: Date | undefined): Promise<void> {
  await sql.query(
    "UPDATE shield_scans SET claim = NULL, claimed_until = $3, batch_bytes = 0 WHERE id = $1 AND claim = $2",
    [id, claim, until],
  );
}

/** Locks a claimed scan until the transaction ends. Returns false if the scan was canceled or taken over. */
export async function lockClaim(client: PoolClient, { id, claim }: Claimed): Promise<boolean> {
  const { rows } = await client.query(
    "SELECT 1 AS one FROM shield_scans WHERE id = $1 AND claim = $2 AND finished_at IS NULL FOR UPDATE",
    [id, claim],
  );
  return rows.length === 1;
}

export async function setTotals(
  sql: Pool,
  { id, claim }: Claimed,
  { objects, bytes }: { objects: number; bytes: number },
): Promise<void> {
  await sql.query(
    "UPDATE shield_scans SET objects_total = $3, bytes_total = $4 WHERE id = $1 AND claim = $2 AND objects_total IS NULL",
    [id, claim, objects, bytes],
  );
}
