import { open } from "node:fs/promises";
import path from "node:path";
import type { Logger } from "pino";
import { TaskQueue } from "../../kernel/keyed-queue";
import { syncFolder } from "./sync-folder";

const BYTES_MAX = 64 << 20;
const TOKENS_REMEMBERED = 10_000;
/** If every row of a table is rejected, that must not fill the log too. */
const LOG_EVERY_MS = 10_000;

/** A row that its engine rejects however often it is sent. */
export interface DeadLetter {
  table: string;
  /** Identifies the row: rows with the same token are stored once. */
  token: string;
  /** The row as it was sent. */
  row: string;
  failure: unknown;
}

/**
 * Rows that no retry can deliver, in one NDJSON file of `{ at, table, token, error, row }`. Beyond `bytesMax` (default
 * 64 MiB) rows are dropped and counted until the operator moves the file away.
 */
export class DeadLetterFile {
  /** The number of rows rejected since the start, by table. */
  readonly refused = new Map<string, number>();
  /** The number of those that did not fit in the file. */
  readonly dropped = new Map<string, number>();
  readonly #file: string;
  readonly #log: Logger;
  readonly #bytesMax: number;
  readonly #tokens = new Set<string>();
  readonly #turns = new TaskQueue();
  #loggedAt = Number.NEGATIVE_INFINITY;
  #unlogged = 0;

  constructor({ file, log, bytesMax = BYTES_MAX }: { file: string; log: Logger; bytesMax?: number }) {
    this.#file = file;
    this.#log = log;
    this.#bytesMax = bytesMax;
  }

  /** Resolves when the row would survive a power loss or is counted as dropped; rejects if the disk write fails. */
  add(letter: DeadLetter): Promise<void> {
    return this.#turns.run(() => this.#add(letter));
  }

  async #add({ table, token, row, failure }: DeadLetter): Promise<void> {
    if (this.#tokens.has(token)) return;
    const error = failure instanceof Error ? failure.message : String(failure);
    const line = Buffer.from(`${JSON.stringify({ at: new Date().toISOString(), table, token, error, row })}\n`);
    const isKept = await this.#append(line);
    if (this.#tokens.size >= TOKENS_REMEMBERED) this.#tokens.clear();
    this.#tokens.add(token);
    increment(this.refused, table);
    if (!isKept) increment(this.dropped, table);
    this.#report({ table, token, error, isKept });
  }

  /** False if the line would not fit. */
  async #append(line: Buffer): Promise<boolean> {
    const handle = await open(this.#file, "a", 0o600);
    try {
      const { size } = await handle.stat();
      if (size + line.length > this.#bytesMax) return false;
      await handle.appendFile(line);
      await handle.datasync();
      if (size === 0) await syncFolder(path.dirname(this.#file));
      return true;
    } finally {
      await handle.close();
    }
  }

  #report(fields: { table: string; token: string; error: string; isKept: boolean }): void {
    this.#unlogged++;
    if (performance.now() - this.#loggedAt < LOG_EVERY_MS) return;
    const { isKept, ...rest } = fields;
    const outcome = isKept ? `kept in ${this.#file}` : `dropped, because ${this.#file} is full`;
    this.#log.error({ ...rest, rows: this.#unlogged }, `a row was permanently rejected and is ${outcome}`);
    this.#loggedAt = performance.now();
    this.#unlogged = 0;
  }
}

const increment = (counts: Map<string, number>, key: string): void => void counts.set(key, (counts.get(key) ?? 0) + 1);
