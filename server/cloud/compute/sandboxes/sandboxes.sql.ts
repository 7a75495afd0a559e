import type { Pool } from "pg";

/** The others follow in the next round. */
export const PER_ROUND = 100;

/** Takes on the command of a sandbox, which only one call does. */
export async function claimCommand(sql: Pick<Pool, "query">, id: string, now: Date): Promise<boolean> {
  const { rowCount } = await sql.query(
    "UPDATE sandboxes SET command_claimed_at = $2 WHERE id = $1 AND command_claimed_at IS NULL",
    [id, now],
  );
  return rowCount === 1;
}

/** Records that the call that has taken on a command still waits for it. */
export async function noteCommand(sql: Pick<Pool, "query">, id: string, now: Date): Promise<void> {
  await sql.query("UPDATE sandboxes SET command_claimed_at = $2 WHERE id = $1 AND command_ended_at IS NULL", [id, now]);
}

/** Calls note every 10 s that they wait for a command. */
const INTERRUPTED_AT = "coalesce(s.command_claimed_at, p.created_at) + interval '60 seconds'";
const WAITS_FOR_COMMAND = `s.ended_at IS NULL AND s.command IS NOT NULL AND NOT s.keep_alive
  AND s.command_ended_at IS NULL AND p.status IN ('pending', 'ready')`;

/** When the command of a sandbox counts as interrupted next. */
export const NEXT_INTERRUPTED = `SELECT min(${INTERRUPTED_AT}) FROM sandboxes s JOIN pods p ON p.id = s.id
  WHERE ${WAITS_FOR_COMMAND}`;

/** Sandboxes that are to end with their command, for which no call waits any more. */
export async function interruptedSandboxes(sql: Pick<Pool, "query">, now: Date): Promise<string[]> {
  const { rows } = await sql.query<{ id: string }>(
    `SELECT s.id FROM sandboxes s JOIN pods p ON p.id = s.id
     WHERE ${WAITS_FOR_COMMAND} AND ${INTERRUPTED_AT} <= $1 ORDER BY s.id LIMIT ${PER_ROUND}`,
    [now],
  );
  return rows.map(({ id }) => id);
}

/** Sandboxes whose processes have ended, and whose end was not announced. */
export async function endedSandboxes(sql: Pick<Pool, "query">): Promise<string[]> {
  const { rows } = await sql.query<{ id: string }>(
    `SELECT s.id FROM sandboxes s JOIN pods p ON p.id = s.id
     WHERE s.ended_at IS NULL AND p.status IN ('stopped', 'completed', 'failed') ORDER BY s.id LIMIT ${PER_ROUND}`,
  );
  return rows.map(({ id }) => id);
}

/** Deletes the output of commands that ended before a time. */
export async function deleteOutputs(sql: Pick<Pool, "query">, before: Date): Promise<void> {
  await sql.query("UPDATE sandboxes SET output = NULL WHERE output IS NOT NULL AND command_ended_at < $1", [before]);
}
