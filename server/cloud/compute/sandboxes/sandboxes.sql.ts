import type { Pool } from "pg";
import { LEASE_OWNER, type Lease, LeasedRows } from "../../../engines/postgres/lease";

/** The others follow in the next round. */
export const PER_ROUND = 100;

const COMMAND_MS = 60_000;
/** The process with the call that waits for the command of a sandbox. The sandbox is ended when the lease has ended. */
export const COMMANDS = new LeasedRows({ table: "sandboxes", ms: COMMAND_MS, isOpen: "command_ended_at IS NULL" });

/** Takes on the command of a sandbox, which only one call ever does. */
export async function takeCommand(sql: Pick<Pool, "query">, id: string, now: Date): Promise<Lease | undefined> {
  const { rows } = await sql.query<Lease>(
    `UPDATE sandboxes SET ${COMMANDS.taking({ owner: "$2", now: "$3" })} WHERE id = $1 AND lease_fence = 0
     RETURNING id, lease_owner AS owner, lease_fence AS fence`,
    [id, LEASE_OWNER, now],
  );
  return rows[0];
}

const INTERRUPTED_AT = `coalesce(s.lease_until, p.created_at + interval '${COMMAND_MS} milliseconds')`;
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
