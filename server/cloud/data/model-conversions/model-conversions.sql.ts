import type { Pool } from "pg";
import { LEASE_OWNER, type Lease, LeasedRows } from "../../../engines/postgres/lease";
import type { ConversionProgress, ConversionRequest } from "../models/conversion";

/** The process that converts; another one continues a conversion whose process was killed. */
export const CONVERSIONS = new LeasedRows({
  table: "model_conversions",
  ms: 30_000,
  isOpen: "finished_at IS NULL AND NOT paused",
});

/** When a conversion can be taken. */
export const NEXT_CONVERSION = `SELECT min(coalesce(lease_until, to_timestamp(0))) FROM model_conversions
  WHERE finished_at IS NULL AND NOT paused`;

/** What a worker works on. */
export interface LeasedConversion extends Lease {
  tenantId: string;
  request: StoredRequest;
  progress: ConversionProgress | null;
  attempts: number;
}

/** Where from, where to and how; plain JSON. */
export interface StoredRequest extends Pick<ConversionRequest, "dtype" | "shards" | "sha256" | "bytesTotal"> {
  source: { bucketId: string; key: string } | { url: string };
  target: { bucketId: string; prefix: string };
}

/** Takes the conversion that has waited longest; undefined if there is none. */
export async function takeConversion(sql: Pick<Pool, "query">, now: Date): Promise<LeasedConversion | undefined> {
  const { rows } = await sql.query<LeasedConversion>(
    `UPDATE model_conversions SET ${CONVERSIONS.taking({ owner: "$1", now: "$2" })},
       started_at = coalesce(started_at, $2), attempts = attempts + 1
     WHERE id = (SELECT id FROM model_conversions WHERE ${CONVERSIONS.isFree("$2")}
       ORDER BY lease_until NULLS FIRST, id LIMIT 1 FOR UPDATE SKIP LOCKED)
     RETURNING id, lease_owner AS owner, lease_fence AS fence, tenant_id AS "tenantId", request, progress, attempts`,
    [LEASE_OWNER, now],
  );
  return rows[0];
}

const IS_OURS = `id = $1 AND ${CONVERSIONS.isHeld({ owner: "$2", fence: "$3" })}`;

/** Stores progress, after which the attempts count from 0 again. */
export async function storeProgress(
  sql: Pick<Pool, "query">,
  { id, owner, fence }: Lease,
  progress: ConversionProgress,
): Promise<void> {
  await sql.query(`UPDATE model_conversions SET progress = $4, attempts = 0 WHERE ${IS_OURS}`, [
    id,
    owner,
    fence,
    JSON.stringify(progress),
  ]);
}

/** Ends a conversion, with a result or a failure. */
export async function finishConversion(
  sql: Pick<Pool, "query">,
  { id, owner, fence }: Lease,
  { result = null, failure = null, now }: { result?: object | null; failure?: object | null; now: Date },
): Promise<void> {
  await sql.query(
    `UPDATE model_conversions SET result = $4, failure = $5, finished_at = $6, lease_owner = NULL, lease_until = NULL
     WHERE ${IS_OURS}`,
    [id, owner, fence, result && JSON.stringify(result), failure && JSON.stringify(failure), now],
  );
}
