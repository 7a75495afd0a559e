import type { Pool } from "pg";
import { newId } from "../../../kernel/ids";
import { RETRIES } from "./claim";

const EVENTS_MAX = 100;
/** The first characters of an id without its prefix contain the time; random hexadecimal digits follow. */
const [TIME_LENGTH, RANDOM_LENGTH] = [10, 16];

/**
 * Creates the deliveries of waiting events for the enabled webhooks that subscribe to them, in their tenant, mode and
 * project, and marks the events, in one statement; concurrent calls take different events. The webhooks are locked, so
 * that one that is disabled meanwhile either gets no delivery or ends it. Returns how many events there were, and whether
 * more may be waiting.
 */
export async function dispatchEvents(sql: Pool, now: Date): Promise<{ count: number; hasMore: boolean }> {
  const time = newId("dlv", now.getTime()).slice(0, "dlv_".length + TIME_LENGTH);
  const { rows } = await sql.query<{ count: number }>({
    name: "dispatch_events",
    text: `WITH batch AS MATERIALIZED (
       SELECT id, tenant_id, project_id, mode, type FROM events WHERE dispatched_at IS NULL
       ORDER BY id LIMIT ${EVENTS_MAX} FOR UPDATE SKIP LOCKED
     ), matches AS MATERIALIZED (
       SELECT w.id AS webhook_id, b.id AS event_id, b.type
       FROM batch b JOIN webhooks w ON w.tenant_id = b.tenant_id AND w.mode = b.mode
         AND (b.project_id IS NULL OR w.project_id = b.project_id)
       WHERE w.status = 'enabled' AND w.deleted_at IS NULL
         AND EXISTS (SELECT 1 FROM unnest(w.events) AS pattern WHERE pattern = '*' OR pattern = b.type
           OR (right(pattern, 2) = '.*' AND starts_with(b.type, left(pattern, -1))))
       ORDER BY w.id FOR SHARE OF w
     ), created AS (
       INSERT INTO webhook_deliveries (id, webhook_id, event_id, event_type, next_attempt_at, retries_left, created_at)
       SELECT $2 || left(replace(gen_random_uuid()::text, '-', ''), ${RANDOM_LENGTH}), webhook_id, event_id, type,
         $1, ${RETRIES}, $1
       FROM matches ON CONFLICT (webhook_id, event_id) DO NOTHING
     ), marked AS (
       UPDATE events SET dispatched_at = $1 FROM batch WHERE events.id = batch.id RETURNING 1
     )
     SELECT count(*)::int AS count FROM marked`,
    values: [now, time],
  });
  const count = rows[0]?.count ?? 0;
  return { count, hasMore: count === EVENTS_MAX };
}
