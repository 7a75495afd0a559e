import { readFile } from "node:fs/promises";
import os from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import type { Pool } from "pg";
import type { Logger } from "pino";

const FIRST_WAIT_MS = 20;
const WAIT_MS_MAX = 5000;

/** After this time an operator should know. */
const STUCK_MS = 60_000;

export interface Session {
  /** Of its role. */
  name: string;
  /** Of the server's process. */
  processId: number;
}

interface Ending {
  signal: AbortSignal;
  log: Pick<Logger, "warn"> | undefined;
  stuckMs?: number | undefined;
}

/**
 * Ends a session and resolves when it has ended, or when `signal` is aborted. PostgreSQL does not cancel a comparison of
 * two huge values, which can take hours; meanwhile the session only uses what processors are idle, where that can be set,
 * and after a minute the log says so.
 */
export async function endSession(
  server: Pool,
  { name, processId }: Session,
  { signal, log, stuckMs = STUCK_MS }: Ending,
): Promise<void> {
  const beganAt = performance.now();
  let isTold = false;
  const sql = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid = $1 AND usename = $2";
  for (let waitMs = FIRST_WAIT_MS; !signal.aborted; waitMs = Math.min(2 * waitMs, WAIT_MS_MAX)) {
    // While the server cannot be reached, this is unknown.
    const ended = await server.query(sql, [processId, name]).catch(() => undefined);
    if (ended?.rowCount === 0) return;
    await lowerPriority(processId, name);
    if (!isTold && performance.now() - beganAt >= stuckMs) {
      log?.warn({ alarm: "tenant_statement", role: name, process: processId }, STUCK);
      isTold = true;
    }
    await sleep(waitMs, undefined, { signal, ref: false }).catch(() => undefined);
  }
}

const STUCK =
  "PostgreSQL cannot cancel a statement of a tenant's SQL database; a restart of PostgreSQL ends it, and until then the tenant has one call less at a time";

/** On a server that is not on this machine the process id is that of another program, or of none. */
async function lowerPriority(processId: number, name: string): Promise<void> {
  try {
    const title = await readFile(`/proc/${processId}/cmdline`, "utf8");
    if (!title.startsWith("postgres: ") || !title.includes(` ${name} `)) return;
    os.setPriority(processId, os.constants.priority.PRIORITY_LOW);
  } catch {
    // It has ended, or it belongs to another user.
  }
}
