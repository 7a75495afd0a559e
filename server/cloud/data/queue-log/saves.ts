import type { QueueReplica } from "./queue-replica";
import { writeSnapshot } from "./snapshot";
import { insertSnapshot } from "./snapshots.sql";
import type { Sql } from "./sql";

/** A snapshot is due after this many bytes of entries, or as many as the last snapshot had, or for each message. */
const BYTES_MIN = 256 * 1024;
/** What a message in memory adds to the work of a snapshot, also if it adds nothing to its text. */
const BYTES_PER_MESSAGE = 8;
/** A smaller change is saved after this time, so that messages of a quiet queue are deleted too. */
const QUIET_MS = 60_000;
/** A statement ends within 30 s: one that began before an entry was covered by a snapshot cannot still run then. */
const ENTRIES_KEPT_MS = 120_000;

interface Save {
  seq: number;
  low: number;
  savedAt: number;
}

/** The snapshots that this process has made of a queue, and what may be deleted because of them. */
export class Saves {
  readonly #replica: QueueReplica;
  readonly #sql: Sql;
  readonly #now: () => number;
  #saves: Save[] = [];
  #bytes = 0;
  #at: number;
  #isSaving = false;

  /** `now`: milliseconds that pass evenly. */
  constructor(replica: QueueReplica, sql: Sql, now: () => number = () => performance.now()) {
    this.#replica = replica;
    this.#sql = sql;
    this.#now = now;
    this.#at = now();
  }

  /** Enough has been appended for a snapshot. */
  get isDue(): boolean {
    return !this.#isSaving && this.#replica.isOpen && this.#replica.loggedBytes > Math.max(BYTES_MIN, this.#bytes);
  }

  /** Something has been appended some time ago, and a snapshot would not be large in comparison. */
  get isQuietlyDue(): boolean {
    const { loggedBytes, isOpen } = this.#replica;
    if (this.#isSaving || !isOpen || loggedBytes === 0 || this.#now() - this.#at < QUIET_MS) return false;
    return this.#bytes < BYTES_MIN || loggedBytes > this.#bytes / 8;
  }

  /** The state is taken at once; writing it does not keep turns waiting. */
  async save(): Promise<void> {
    const { id, seq, state } = this.#replica;
    const text = writeSnapshot(state);
    const { low } = state;
    const bytes = Math.max(text.length, BYTES_PER_MESSAGE * state.messages.size);
    this.#replica.loggedBytes = 0;
    this.#isSaving = true;
    try {
      await insertSnapshot(this.#sql, { queueId: id, seq, state: text });
      [this.#bytes, this.#at] = [bytes, this.#now()];
      this.#saves.push({ seq, low, savedAt: this.#at });
    } finally {
      this.#isSaving = false;
    }
  }

  /** Rows below these may be deleted; undefined before the first snapshot. */
  deletable(): { position: number; seq: number; snapshot: number } | undefined {
    const newest = this.#saves.at(-1);
    if (!newest) return undefined;
    const old = this.#saves.filter(({ savedAt }) => this.#now() - savedAt > ENTRIES_KEPT_MS);
    // Of those old enough, only the newest matters from now on.
    this.#saves = this.#saves.slice(Math.max(0, old.length - 1));
    return { position: newest.low, seq: old.at(-1)?.seq ?? 0, snapshot: newest.seq };
  }
}
