import type { Pool } from "pg";
import type { Logger } from "pino";
import type { StartedAlarms } from "../../../engines/start-alarms";
import type { Clock } from "../../../kernel/clock";
import { abandonedRow } from "./abandoned-row";
import { finishRequests, forgetProcess, knownProcesses, type PendingRow, pendingOf } from "./chat-requests.sql";

/** Ten times the interval in which a process renews its lease: a busy process must not lose it. */
const LEASE_MS = 30_000;
const LOOKS_PER_LEASE = 3;
/** Until leases are looked for while there are none. */
const NO_LEASES_MS = 30_000;
const SETTLED_PER_STATEMENT = 200;

export interface SweepParts {
  sql: Pool;
  clock: Clock;
  log: Pick<Logger, "info">;
  alarms: Pick<StartedAlarms, "add">;
  leaseMs?: number;
  /** Called when spending was stored. */
  onSpent?: (() => void) | undefined;
}

/** When a process was last seen to live: its beats, and since when they have not grown (performance.now()). */
type BeatsByProcess = Map<string, { beats: bigint | null; sinceMs: number }>;

/**
 * Finishes the pending requests of processes that have ended without doing so, for example by `kill -9`. A process has
 * ended when its lease was not renewed for 30 seconds in which this one could read the leases: neither the clocks of
 * machines nor a time without Postgres count. A process that was suspended for longer finds its requests finished. Leases
 * are read three times as often as they end, and every 30 s while there are none.
 */
export function startChatSweep(parts: SweepParts): { stop(): Promise<void> } {
  const { alarms, leaseMs = LEASE_MS } = parts;
  let seen: BeatsByProcess = new Map();
  return alarms.add({
    topic: "chat-sweep",
    purpose: "finish the chat requests of ended processes",
    everyMs: () => (seen.size > 0 ? leaseMs / LOOKS_PER_LEASE : NO_LEASES_MS),
    run: async () => {
      try {
        seen = await sweepRequests(parts, seen);
      } catch (failure) {
        seen = new Map();
        throw failure;
      }
    },
  });
}

async function sweepRequests(
  { sql, clock, log, onSpent, leaseMs = LEASE_MS }: Omit<SweepParts, "alarms">,
  before: BeatsByProcess,
): Promise<BeatsByProcess> {
  const now = performance.now();
  const seen: BeatsByProcess = new Map();
  for (const { id, beats } of await knownProcesses(sql)) {
    const last = before.get(id);
    const sinceMs = last && last.beats === beats ? last.sinceMs : now;
    if (now - sinceMs < leaseMs) {
      seen.set(id, { beats, sinceMs });
      continue;
    }
    const finished = await finishPending(sql, id, clock);
    await forgetProcess(sql, id);
    if (finished > 0) onSpent?.();
    if (finished > 0) log.info({ process: id, finished }, "finished the chat requests of an ended process");
  }
  return seen;
}

/** Finishes all pending requests of a process, with what was streamed until then, and returns how many. */
async function finishPending(sql: Pool, processId: string, clock: Clock): Promise<number> {
  for (let finished = 0; ; ) {
    const pending = await pendingOf(sql, processId, SETTLED_PER_STATEMENT);
    if (pending.length === 0) return finished;
    const rows = pending.map((row) => sweptRow(row, processId, clock.now()));
    finished += (await finishRequests(sql, rows)).length;
  }
}

function sweptRow(row: PendingRow, processId: string, at: Date) {
  const { id, has_progress, input_picos, output_picos } = row;
  const request = { ...row, input_picos: String(input_picos), output_picos: String(output_picos) };
  const progress = {
    id,
    prompt_tokens: Number(row.prompt_tokens),
    completion_tokens: Number(row.completion_tokens),
  };
  return abandonedRow({ ...request, process_id: processId }, has_progress ? progress : undefined, at);
}
