import type { Pool } from "pg";
import type { Clock } from "../../../kernel/clock";
import { applyEntry } from "./apply-entry";
import { type Located, type RecordsByPosition, readRows } from "./chunks.sql";
import type { Entry } from "./entry";
import type { Packed } from "./pack-messages";
import { appendTurn, type NewMessageRow, readEntries } from "./queue-log.sql";
import { QueueState } from "./queue-state";
import { readSnapshotInTurns } from "./snapshot";
import { insertOrigin, readNewestSnapshot } from "./snapshots.sql";
import type { Sql } from "./sql";

const ENTRIES_PER_READ = 1000;
const ROWS_PER_READ = 5000;
/** A load begins again when entries are deleted under it because there is a newer snapshot. */
const LOADS_MAX = 10;
/** With this many messages in the window, reading ahead stops; SQS FIFO looks at 120,000. */
const WINDOW_MAX = 200_000;
/** With fewer messages that are not in flight, more rows are read. */
const READ_AHEAD_MIN = 1000;

/** What is to be appended to a queue's log. */
export interface Change {
  entry: Entry;
  /** The messages that `entry.sent` counts, as they are at the tail. */
  packed?: Packed;
  /** The same, to be stored with the entry. */
  rows?: readonly NewMessageRow[];
  /** Messages whose records are wanted. */
  wanted?: readonly Located[];
}

/** One process's copy of a queue's state, and how it follows the log. One call at a time. */
export class QueueReplica {
  #sql: Sql;
  readonly #clock: Clock;
  #state: QueueState | undefined;
  #seq = -1;
  /** The process's clock when `state.at` was set. */
  #appliedAt = 0;
  /** The length of the entry that was inserted last. */
  #insertedBytes = 0;
  /** The length of the entries that this process has appended, or read to load the state, since its last snapshot. */
  loggedBytes = 0;

  constructor(
    readonly id: string,
    { sql, clock }: { sql: Pool; clock: Clock },
  ) {
    this.#sql = sql;
    this.#clock = clock;
  }

  get state(): QueueState {
    if (!this.#state) throw new Error("The state of the queue is not loaded.");
    return this.#state;
  }

  get isOpen(): boolean {
    return this.#state !== undefined;
  }

  /** The number of the last entry that is applied. */
  get seq(): number {
    return this.#seq;
  }

  /** The queue's time: that of the clock, but it neither goes back nor stops when the clock is set back. */
  now(): number {
    const clockMs = this.#clock.now().getTime();
    const { at } = this.state;
    return Math.max(clockMs, at, at + clockMs - this.#appliedAt);
  }

  /** Drops the state: it is loaded again when needed. */
  forget(): void {
    this.#state = undefined;
  }

  /** Loads the state if it is not. */
  async open(): Promise<void> {
    for (let tries = 0; !this.#state; tries++) {
      if (tries === LOADS_MAX) throw new Error("The log of the queue lacks entries.");
      const sql = this.#sql;
      const snapshot = await readNewestSnapshot(sql, this.id);
      const state = snapshot ? await readSnapshotInTurns(snapshot.state) : new QueueState();
      const seq = snapshot?.seq ?? -1;
      if (!snapshot) await insertOrigin(sql, this.id, this.#clock.now().getTime());
      this.#set(state, seq);
      await this.#follow(true);
    }
  }

  /** Applies what other processes appended; true if there was anything. */
  async catchUp(): Promise<boolean> {
    const before = this.#state && this.#seq;
    await this.open();
    if (before === undefined) return true;
    await this.#follow();
    await this.open();
    return this.#seq !== before;
  }

  /** Appends and applies a change; undefined if another process was first. Otherwise the records of what it wants. */
  async append(change: Change): Promise<RecordsByPosition | undefined> {
    const records = await this.insert(change);
    if (records) this.apply(change);
    return records;
  }

  /** Appends a change that is to be applied when the transaction is committed. */
  insert({ entry, packed, rows = [], wanted = [] }: Change): Promise<RecordsByPosition | undefined> {
    const text = JSON.stringify(entry);
    this.#insertedBytes = text.length;
    return appendTurn(this.#sql, {
      queueId: this.id,
      seq: this.#seq + 1,
      entry: { at: entry.at, text },
      rows,
      chunks: packed?.chunks ?? [],
      wanted,
    });
  }

  /** Applies a change that was inserted. */
  apply({ entry, packed }: Change): void {
    const { state } = this;
    const { tail } = state;
    this.#apply(entry);
    if (state.loadedTo === tail && state.messages.size < WINDOW_MAX) state.load(packed?.rows ?? [], state.tail);
    this.loggedBytes += this.#insertedBytes;
  }

  #apply(entry: Entry): void {
    try {
      applyEntry(this.state, entry);
    } catch (cause) {
      // Half an entry was applied.
      this.forget();
      throw cause;
    }
    this.#seq++;
    this.#appliedAt = this.#clock.now().getTime();
  }

  /** There are messages beyond the window, and the window needs more: nothing in it can be received. */
  get wantsRows(): boolean {
    const { state } = this;
    if (state.loadedTo >= state.tail) return false;
    const waiting = state.messages.size - state.inFlight;
    return waiting < READ_AHEAD_MIN || (waiting < WINDOW_MAX && !state.groups.hasReady(state.at));
  }

  /** The connection to be used: that of the transaction, inside `inTurns`. */
  get sql(): Sql {
    return this.#sql;
  }

  async using<T>(sql: Sql, work: () => Promise<T>): Promise<T> {
    const outer = this.#sql;
    this.#sql = sql;
    try {
      return await work();
    } finally {
      this.#sql = outer;
    }
  }

  /** There are messages that a receive must know, because they or others of their groups may be in flight. */
  get lacksRows(): boolean {
    return this.state.loadedTo < this.state.touchedTo;
  }

  /** What a receive finds depends on rows that are to be read. */
  get needsRows(): boolean {
    return this.lacksRows || this.wantsRows;
  }

  /** Reads the rows that a receive must know, and some more if the window needs them; see `wantsRows`. */
  async widen(): Promise<void> {
    while (!(await this.widenSome()));
  }

  /** A part of `widen`; false if there is more of it. */
  async widenSome(): Promise<boolean> {
    if (this.lacksRows) await this.#readRows();
    if (this.lacksRows) return false;
    if (this.wantsRows) await this.#readRows();
    return true;
  }

  /** Reads rows until the window has so many messages, or all. */
  async widenTo(messages: number): Promise<void> {
    while (this.lacksRows) await this.#readRows();
    while (this.state.loadedTo < this.state.tail && this.state.messages.size < messages) await this.#readRows();
  }

  async #readRows(): Promise<void> {
    const { state } = this;
    const { loadedTo } = state;
    const to = Math.min(state.tail, loadedTo + ROWS_PER_READ);
    const rows = await readRows(this.#sql, this.id, [loadedTo, to]);
    if (state.load(rows, to) || (await this.catchUp())) return;
    throw new Error(`Messages of the queue are missing at positions from ${loadedTo} to ${to}.`);
  }

  async #follow(isLoading = false): Promise<void> {
    for (;;) {
      const entries = await readEntries(this.#sql, this.id, { after: this.#seq, countMax: ENTRIES_PER_READ });
      for (const { seq, entry, bytes } of entries) {
        // Entries before this one were deleted: the newest snapshot has them.
        if (seq !== this.#seq + 1) return this.forget();
        if (isLoading) this.loggedBytes += bytes;
        this.#apply(entry);
      }
      if (entries.length < ENTRIES_PER_READ) return;
    }
  }

  #set(state: QueueState, seq: number): void {
    this.#state = state;
    this.#seq = seq;
    this.#appliedAt = this.#clock.now().getTime();
  }
}
