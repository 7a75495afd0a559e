import type { Pool } from "pg";
import { LEASE_OWNER } from "../../../engines/postgres/lease";
import { CLAIM_COLUMNS, type Claim, type ClaimRow, claimOf, DELIVERIES, RETRIED_FOR_MS } from "./claim";

/** Attempts of one webhook that run at once in one process. */
export const PER_WEBHOOK_MAX = 10;
/** The same for a webhook whose last attempt failed, so that many dead ones do not use up all attempts of a process. */
export const PER_FAILING_WEBHOOK_MAX = 2;
/** The same for all webhooks of one tenant, so that its slow ones leave attempts to those of others. */
export const PER_TENANT_MAX = 125;

/** The webhooks with pending deliveries, by jumping from one to the next in the index. */
const PENDING = `pending AS (
       (SELECT webhook_id FROM webhook_deliveries WHERE status = 'pending' ORDER BY webhook_id LIMIT 1)
       UNION ALL
       SELECT (SELECT d.webhook_id FROM webhook_deliveries d
               WHERE d.status = 'pending' AND d.webhook_id > p.webhook_id ORDER BY d.webhook_id LIMIT 1)
       FROM pending p WHERE p.webhook_id IS NOT NULL
     )`;

/** When there is an event to dispatch, a delivery to attempt, or a claim that counts as lost. */
export const NEXT_DELIVERY = `WITH RECURSIVE ${PENDING} SELECT least(
  (SELECT 'epoch'::timestamptz FROM events WHERE dispatched_at IS NULL ORDER BY id LIMIT 1),
  (SELECT min(d.next_attempt_at) FROM pending p
   JOIN webhooks w ON w.id = p.webhook_id AND w.status = 'enabled' AND w.deleted_at IS NULL
   CROSS JOIN LATERAL (SELECT q.next_attempt_at FROM webhook_deliveries q
     WHERE q.webhook_id = w.id AND q.status = 'pending' ORDER BY q.next_attempt_at LIMIT 1) d))`;

interface ClaimDue {
  now: Date;
  /** Attempts that may start in this process. */
  free: number;
  /** Running attempts of this process, by webhook and by tenant. */
  running: { ofWebhooks: ReadonlyMap<string, number>; ofTenants: ReadonlyMap<string, number> };
}

/**
 * Claims due deliveries, of each webhook and each tenant as many as it has free attempts, so that the backlog of one delays
 * no other.
 * Only webhooks with pending deliveries are visited. Concurrent claims skip each other's rows.
 */
export async function claimDue(
  sql: Pool,
  { now, free, running: { ofWebhooks, ofTenants } }: ClaimDue,
): Promise<Claim[]> {
  const { rows } = await sql.query<ClaimRow>({
    name: "claim_deliveries",
    text: `WITH RECURSIVE ${PENDING}, due AS MATERIALIZED (
       SELECT f.id FROM (
         SELECT d.id, w.tenant_id, row_number() OVER (PARTITION BY w.tenant_id ORDER BY coalesce(r.attempts, 0)) AS nth
         FROM pending p
         JOIN webhooks w ON w.id = p.webhook_id AND w.status = 'enabled' AND w.deleted_at IS NULL
         LEFT JOIN unnest($4::text[], $5::int[]) AS r(webhook_id, attempts) ON r.webhook_id = w.id
         CROSS JOIN LATERAL (
           SELECT q.id FROM webhook_deliveries q
           WHERE q.webhook_id = w.id AND q.status = 'pending' AND q.next_attempt_at <= $1
           ORDER BY q.next_attempt_at
           LIMIT greatest(0, CASE WHEN w.failing_since IS NULL THEN ${PER_WEBHOOK_MAX} ELSE ${PER_FAILING_WEBHOOK_MAX} END
             - coalesce(r.attempts, 0))
           FOR UPDATE SKIP LOCKED
         ) d
       ) f
       LEFT JOIN unnest($7::text[], $8::int[]) AS t(tenant_id, attempts) ON t.tenant_id = f.tenant_id
       WHERE coalesce(t.attempts, 0) + f.nth <= ${PER_TENANT_MAX}
       ORDER BY coalesce(t.attempts, 0) + f.nth LIMIT $6::int
     )
     UPDATE webhook_deliveries d
     SET ${DELIVERIES.taking({ owner: "$2", now: "$1", alias: "d" })}, retry_until = coalesce(d.retry_until, $3)
     FROM due, webhooks w, events e
     WHERE d.id = due.id AND w.id = d.webhook_id AND e.id = d.event_id
     RETURNING ${CLAIM_COLUMNS}`,
    values: [now, LEASE_OWNER, retriedUntil(now), ...columnsOf(ofWebhooks), free, ...columnsOf(ofTenants)],
  });
  return rows.map(claimOf);
}

const columnsOf = (counts: ReadonlyMap<string, number>) => [[...counts.keys()], [...counts.values()]] as const;

/** Until when a first attempt is retried. */
export const retriedUntil = (now: Date): Date => new Date(now.getTime() + RETRIED_FOR_MS);
