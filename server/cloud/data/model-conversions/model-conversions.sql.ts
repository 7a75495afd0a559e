import type { Pool } from "pg";
import type { ConversionProgress, ConversionRequest } from "../models/conversion";

/** How long a process has a conversion without a sign of life; then another one continues it. */
export const LEASE_MS = 30_000;

/** When a conversion can be taken. */
export const NEXT_CONVERSION = `SELECT min(coalesce(claimed_until, to_timestamp(0))) FROM model_conversions
  WHERE finished_at IS NULL AND NOT paused`;

/** What a worker works on. */
export interface ClaimedConversion {
  id: string;
  tenantId: string;
  request: StoredRequest;
  progress: ConversionProgress | null;
  attempts: number;
  claim: string;
}

/** Where from, where to and how; plain JSON. */
export interface StoredRequest extends Pick<ConversionRequest, "dtype" | "shards" | "sha256" | "bytesTotal"> {
  source: { bucketId: string; key: string } | { url: string };
  target: { bucketId: string; prefix: string };
}

/** Takes the conversion that has waited longest; undefined if there is none. */
export async function claimConversion(
  sql: Pick<Pool, "query">,
  { claim, now }: { claim: string; now: Date },
): Promise<ClaimedConversion | undefined> {
  const { rows } = await sql.query<ClaimedConversion>(
    `UPDATE model_conversions SET claim = $1, claimed_until = $3, started_at = coalesce(started_at, $2), attempts = attempts + 1
     WHERE id = (SELECT id FROM model_conversions
       WHERE finished_at IS NULL AND NOT paused AND (claimed_until IS NULL OR claimed_until <= $2)
       ORDER BY claimed_until NULLS FIRST, id LIMIT 1 FOR UPDATE SKIP LOCKED)
     RETURNING id, tenant_id AS "tenantId", request, progress, attempts, claim`,
    [claim, now, new Date(now.getTime() + LEASE_MS)],
  );
  return rows[0];
}

/** What identifies a claimed conversion. */
type Claim = Pick<ClaimedConversion, "id" | "claim">;

const IS_OURS = "id = $1 AND claim = $2 AND finished_at IS NULL AND NOT paused";

/** Extends the lease. Returns false if the conversion was deleted, paused, changed or taken over. */
export async function renewConversion(sql: Pick<Pool, "query">, { id, claim }: Claim, now: Date): Promise<boolean> {
  const until = new Date(now.getTime() + LEASE_MS);
  const { rowCount } = await sql.query(`UPDATE model_conversions SET claimed_until = $3 WHERE ${IS_OURS}`, [
    ...[id, claim, until],
  ]);
  return rowCount === 1;
}

/** Stores progress, after which the attempts count from 0 again. */
export async function storeProgress(
  sql: Pick<Pool, "query">,
  { id, claim }: Claim,
  progress: ConversionProgress,
): Promise<void> {
  await sql.query(`UPDATE model_conversions SET progress = $3, attempts = 0 WHERE ${IS_OURS}`, [
    ...[id, claim, JSON.stringify(progress)],
  ]);
}

/** Gives a conversion back, so that another turn continues it, not before `until`. */
export async function releaseConversion(sql: Pick<Pool, "query">, { id, claim }: Claim, until: Date): Promise<void> {
  await sql.query("UPDATE model_conversions SET claim = NULL, claimed_until = $3 WHERE id = $1 AND claim = $2", [
    ...[id, claim, until],
  ]);
}

/** Ends a conversion, with a result or a failure. */
export async function finishConversion(
  sql: Pick<Pool, "query">,
  { id, claim }: Claim,
  { result = null, failure = null, now }: { result?: object | null; failure?: object | null; now: Date },
): Promise<void> {
  await sql.query(
    `UPDATE model_conversions SET result = $3, failure = $4, finished_at = $5, claim = NULL, claimed_until = NULL
     WHERE ${IS_OURS}`,
    [id, claim, result && JSON.stringify(result), failure && JSON.stringify(failure), now],
  );
}
