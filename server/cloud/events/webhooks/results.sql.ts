import type { Pool } from "pg";
import type { AttemptResult } from "./attempt-result";
import { DELIVERIES } from "./claim";

/** The webhook of a stored result. */
export interface StoredResult {
  /** The first failure since the last success, before this result; null if there is none. */
  failingSince: Date | null;
}

/**
 * Stores the results of attempts and the new states of their deliveries in one statement; undefined for one whose lease
 * was lost, which is not stored. A delivery that ended during the attempt (its webhook was disabled) stays ended.
 */
export async function storeResults(
  sql: Pool,
  results: readonly AttemptResult[],
): Promise<(StoredResult | undefined)[]> {
  const { rows } = await sql.query<StoredResult & { id: string }>({
    name: "store_attempts",
    text: `WITH r AS (
       SELECT * FROM json_to_recordset($1) AS r(id text, owner text, fence int, "attemptId" text, "startedAt" timestamptz, "latencyMs" int,
         "statusCode" int, error text, "responseBody" text, status "DeliveryStatus", "nextAttemptAt" timestamptz,
         "retriesLeft" int, "finishedAt" timestamptz)
     ), stored AS (
       UPDATE webhook_deliveries d SET
         lease_owner = NULL, attempt_count = d.attempt_count + 1, last_status_code = r."statusCode",
         status = CASE WHEN d.status = 'pending' OR r.status = 'succeeded' THEN r.status ELSE d.status END,
         next_attempt_at = CASE WHEN d.status = 'pending' THEN r."nextAttemptAt" END,
         retries_left = r."retriesLeft",
         last_error = CASE WHEN d.status = 'pending' OR r.status = 'succeeded' THEN r.error ELSE d.last_error END,
         finished_at = CASE WHEN d.status = 'pending' OR r.status = 'succeeded' THEN r."finishedAt" ELSE d.finished_at END
       FROM r WHERE d.id = r.id AND ${DELIVERIES.isHeld({ owner: "r.owner", fence: "r.fence", alias: "d" })}
       RETURNING d.id, d.webhook_id, d.attempt_count
     ), logged AS (
       INSERT INTO webhook_attempts (id, delivery_id, number, started_at, latency_ms, status_code, error, response_body)
       SELECT r."attemptId", r.id, s.attempt_count, r."startedAt", r."latencyMs", r."statusCode", r.error, r."responseBody"
       FROM r JOIN stored s ON s.id = r.id
     )
     SELECT s.id, w.failing_since AS "failingSince" FROM stored s JOIN webhooks w ON w.id = s.webhook_id`,
    values: [JSON.stringify(results)],
  });
  const found = new Map(rows.map((row) => [row.id, row]));
  return results.map(({ id }) => found.get(id));
}
