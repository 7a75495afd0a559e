import type { Pool } from "pg";
import type { Prisma, PrismaClient, ShieldScan as ScanRow } from "../../../engines/postgres/generated/client";
import { LEASE_OWNER, type Lease, LeasedRows } from "../../../engines/postgres/lease";

/** The process that scans; another one continues a scan whose process was killed. */
export const SCANS = new LeasedRows({ table: "shield_scans", ms: 30_000, isOpen: "finished_at IS NULL" });

/** When a scan can be taken. */
export const NEXT_SCAN =
  "SELECT min(coalesce(lease_until, to_timestamp(0))) FROM shield_scans WHERE finished_at IS NULL";

/** Locks a scan until the transaction ends. */
export async function lockScan(tx: Prisma.TransactionClient, id: string): Promise<void> {
  await tx.$queryRaw`SELECT id FROM shield_scans WHERE id = ${id} FOR UPDATE`;
}

/** Takes the scan that has waited longest for its turn; undefined if there is none. */
export async function takeScan(
  { sql, db }: { sql: Pool; db: PrismaClient },
  now: Date,
): Promise<{ row: ScanRow; lease: Lease } | undefined> {
  const { rows } = await sql.query<Lease>(
    `UPDATE shield_scans SET ${SCANS.taking({ owner: "$1", now: "$2" })}, status = 'running', turn_at = $2,
       started_at = coalesce(started_at, $2), attempts = attempts + 1, batch_bytes = 0
     WHERE id = (SELECT id FROM shield_scans WHERE ${SCANS.isFree("$2")}
       ORDER BY turn_at NULLS FIRST, id LIMIT 1 FOR UPDATE SKIP LOCKED)
     RETURNING id, lease_owner AS owner, lease_fence AS fence`,
    [LEASE_OWNER, now],
  );
  const [lease] = rows;
  return lease && { row: await db.shieldScan.findUniqueOrThrow({ where: { id: lease.id } }), lease };
}

/** Extends the lease and shows the progress of the batch. Returns false if the scan was canceled or taken over. */
export const extendScan = (sql: Pool, lease: Lease, { now, batchBytes }: { now: Date; batchBytes: number }) =>
  SCANS.extend(sql, lease, { now, set: { batch_bytes: batchBytes } });

/** Gives a scan back, so that another turn continues it, not before `until`. */
export const releaseScan = (sql: Pool, lease: Lease, until: Date | undefined): Promise<void> =>
  SCANS.release(sql, lease, { until: until ?? null, set: { batch_bytes: 0 } });

export async function setTotals(
  sql: Pool,
  { id, owner, fence }: Lease,
  { objects, bytes }: { objects: number; bytes: number },
): Promise<void> {
  await sql.query(
    `UPDATE shield_scans SET objects_total = $4, bytes_total = $5
     WHERE id = $1 AND objects_total IS NULL AND ${SCANS.isHeld({ owner: "$2", fence: "$3" })}`,
    [id, owner, fence, objects, bytes],
  );
}
