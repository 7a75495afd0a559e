import type { Pool, PoolClient } from "pg";
import { inTransaction } from "../../../engines/postgres/in-transaction";
import { exactJson, parseExact } from "../../../kernel/exact-number";
import { newId } from "../../../kernel/ids";
import { INVOCATION_ID_PREFIX } from "./invocation";
import { type FunctionSchedule, nextTime } from "./schedule";

/** In one transaction. */
const FUNCTIONS_MAX = 100;

interface DueFunction {
  id: string;
  schedule: string;
}

/**
 * Makes an invocation for each function that is due, and sets its next time, in one transaction, so that each time has
 * one invocation however many processes run this. Times that were missed while no process ran have one invocation
 * together. A time is skipped while the invocation of an earlier one waits or runs. Returns whether more may be due.
 */
export async function beginSchedules(sql: Pool, now: Date): Promise<boolean> {
  const { rows } = await sql.query("SELECT 1 FROM functions WHERE next_run_at <= $1 LIMIT 1", [now]);
  return rows.length > 0 && inTransaction(sql, (client) => beginDue(client, now));
}

async function beginDue(client: PoolClient, now: Date): Promise<boolean> {
  const { rows } = await client.query<DueFunction>(
    `SELECT id, schedule FROM functions WHERE next_run_at <= $1
      ORDER BY next_run_at LIMIT ${FUNCTIONS_MAX} FOR NO KEY UPDATE SKIP LOCKED`,
    [now],
  );
  const due = rows.map(({ id, schedule: text }) => {
    const schedule = parseExact(text) as FunctionSchedule;
    const invocation = newId(INVOCATION_ID_PREFIX, now.getTime());
    return { id, invocation, payload: exactJson(schedule.payload), next: nextTime(schedule, now) };
  });
  const ids = due.map(({ id }) => id);
  await client.query(
    `INSERT INTO function_invocations (id, tenant_id, project_id, mode, function_id, version, is_async, scheduled_at,
        status, payload, logs, created_at)
      SELECT d.invocation, f.tenant_id, f.project_id, f.mode, f.id, f.version, true, f.next_run_at,
        'queued', d.payload, '[]', $4
      FROM unnest($1::text[], $2::text[], $3::text[]) AS d(id, invocation, payload) JOIN functions f ON f.id = d.id
      WHERE NOT EXISTS (SELECT 1 FROM function_invocations i
        WHERE i.function_id = f.id AND i.scheduled_at IS NOT NULL AND i.status IN ('queued', 'running'))
      ON CONFLICT DO NOTHING`,
    [ids, due.map(({ invocation }) => invocation), due.map(({ payload }) => payload), now],
  );
  await client.query(
    `UPDATE functions f SET next_run_at = d.next
      FROM unnest($1::text[], $2::timestamptz[]) AS d(id, next) WHERE f.id = d.id`,
    [ids, due.map(({ next }) => next)],
  );
  return due.length === FUNCTIONS_MAX;
}
