import type { Pool } from "pg";
import type { LiveQueue } from "./live-queue";
import type { Sql } from "./sql";
import {
  deleteBelow,
  deleteOldDuplicates,
  deleteRemoved,
  readRemoved,
  readSwept,
  type SweepPosition,
  writeSwept,
} from "./sweep-queues.sql";

type SweptQueue = Pick<LiveQueue, "id" | "saves" | "saveIfDue">;

const ROWS_PER_DELETE = 10_000;
const PAUSED_MS = 60_000;

/**
 * Deletes, in the background, what no process reads any more: always at the low end of the keys and from where the last
 * deletion ended, so that neither reads nor later deletions walk over dead rows.
 */
export class Sweeper {
  readonly #sql: Pool;
  /** How far the rows of a queue are deleted. */
  readonly #swept = new Map<string, SweepPosition>();
  #removedAt = Number.NEGATIVE_INFINITY;

  constructor(sql: Pool) {
    this.#sql = sql;
  }

  /** True if there is more to do. */
  async sweep(queues: readonly SweptQueue[], signal: AbortSignal): Promise<boolean> {
    let hasMore = false;
    for (const queue of queues) {
      if (signal.aborted) return false;
      await queue.saveIfDue();
      hasMore = (await this.#sweepQueue(queue)) || hasMore;
    }
    const ids = new Set(queues.map(({ id }) => id));
    for (const id of this.#swept.keys()) if (!ids.has(id)) this.#swept.delete(id);
    if (performance.now() - this.#removedAt < PAUSED_MS) return hasMore;
    this.#removedAt = performance.now();
    await sweepRemoved(this.#sql, signal);
    return hasMore;
  }

  /** Has the rows of removed queues deleted with the next sweep. */
  removed(): void {
    this.#removedAt = Number.NEGATIVE_INFINITY;
  }

  async #sweepQueue({ id, saves }: SweptQueue): Promise<boolean> {
    const wanted = saves.deletable();
    if (!wanted) return false;
    const swept = this.#swept.get(id) ?? (await readSwept(this.#sql, id));
    const next: SweepPosition = {
      position: Math.min(wanted.position, swept.position + ROWS_PER_DELETE),
      seq: Math.max(swept.seq, Math.min(wanted.seq, swept.seq + ROWS_PER_DELETE)),
    };
    if (next.position > swept.position || next.seq > swept.seq) {
      await deleteBelow(this.#sql, id, { from: swept, to: next, snapshot: wanted.snapshot });
      await writeSwept(this.#sql, id, next);
    }
    this.#swept.set(id, next);
    return next.position < wanted.position || next.seq < wanted.seq;
  }
}

/** Deletes the rows of removed queues, and deduplication ids that are too old to matter. */
async function sweepRemoved(sql: Sql, signal: AbortSignal): Promise<void> {
  for (const id of await readRemoved(sql)) {
    while (!signal.aborted && (await deleteRemoved(sql, id, ROWS_PER_DELETE)));
  }
  while (!signal.aborted && (await deleteOldDuplicates(sql, ROWS_PER_DELETE)));
}
