import type { Pool } from "pg";
import type { Logger } from "pino";
import type { Clock } from "../../../kernel/clock";
import { abandonedRow } from "./abandoned-row";
import { abandonedJournals, type JournalEntry } from "./chat-journal";
import { type FinishedRow, flushCommits, progressOf, recoverOutcomes } from "./chat-requests.sql";

const ROWS_PER_STATEMENT = 200;
/** Shorter than the 30 days after which finished rows are deleted: an older request is not billed again. */
const RECOVERED_WITHIN_MS = 25 * 86_400_000;

export interface RecoveryParts {
  sql: Pool;
  clock: Clock;
  log: Pick<Logger, "info">;
  /** The folder of journals. */
  dir: string;
  /** Called when spending was stored. */
  onSpent?: (() => void) | undefined;
}

/**
 * Finishes what the journals of ended processes tell: a request with an outcome is billed that, one without what was
 * passed on until then. What is finished already is left as it is. A crash in the middle is repeated from the beginning.
 */
export async function recoverRequests({ sql, clock, log, dir, onSpent }: RecoveryParts): Promise<void> {
  for (const { entries, remove } of abandonedJournals(dir)) {
    const now = clock.now();
    const recent = [...entries].filter(([, { begun, finished }]) => {
      const at = begun ?? finished;
      return at !== undefined && now.getTime() - new Date(at.created_at).getTime() < RECOVERED_WITHIN_MS;
    });
    let recovered = 0;
    for (let from = 0; from < recent.length; from += ROWS_PER_STATEMENT) {
      const some = recent.slice(from, from + ROWS_PER_STATEMENT);
      const rows = await outcomesOf(sql, some, now);
      recovered += (await recoverOutcomes(sql, rows)).length;
      await flushCommits(sql, []);
    }
    remove();
    if (recovered > 0) onSpent?.();
    if (recovered > 0) log.info({ recovered }, "finished the chat requests of a process that was killed");
  }
}

async function outcomesOf(sql: Pool, entries: [string, JournalEntry][], at: Date): Promise<FinishedRow[]> {
  const ids = entries.filter(([, { finished }]) => !finished).map(([id]) => id);
  const stored = new Map((await progressOf(sql, ids)).map((row) => [row.id, row]));
  return entries.flatMap(([id, { begun, progress, finished }]) => {
    if (finished) return [finished];
    if (!begun) return [];
    const row = { ...begun, created_at: new Date(begun.created_at) };
    const known = [progress, stored.get(id)].filter((each) => each !== undefined);
    const latest = known.sort((a, b) => b.completion_tokens - a.completion_tokens)[0];
    return [{ ...abandonedRow(row, latest, at), was_admitted: true }];
  });
}
