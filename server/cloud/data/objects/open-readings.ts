import type { Pool } from "pg";
import type { Logger } from "pino";
import type { Clock } from "../../../kernel/clock";
import { type Repeating, repeat } from "../../../kernel/repeat";
import { REMOVAL_DELAY_MS } from "./commit-changes";

/** Three postponements may fail before a blob is removed under a read. */
const POSTPONE_EVERY_MS = REMOVAL_DELAY_MS / 4;

interface Parts {
  sql: Pool;
  clock: Clock;
  log: Pick<Logger, "info" | "warn">;
}

/** The blobs that this process is reading: while a read runs, they are not removed. */
export class OpenReadings {
  readonly #parts: Parts;
  readonly #counts = new Map<string, number>();
  readonly #loop: Repeating;

  constructor(parts: Parts) {
    this.#parts = parts;
    const purpose = "keep the blobs that are being read";
    this.#loop = repeat({ everyMs: POSTPONE_EVERY_MS, log: parts.log, purpose }, () => this.postpone());
  }

  /** Yields what `read` yields; until it ends, these blobs are kept. */
  async *keep<T>(names: readonly string[], read: () => AsyncIterable<T>): AsyncIterable<T> {
    for (const name of names) this.#counts.set(name, (this.#counts.get(name) ?? 0) + 1);
    try {
      yield* read();
    } finally {
      for (const name of names) {
        const left = (this.#counts.get(name) ?? 1) - 1;
        if (left === 0) this.#counts.delete(name);
        else this.#counts.set(name, left);
      }
    }
  }

  async postpone(): Promise<void> {
    if (this.#counts.size === 0) return;
    const { sql, clock } = this.#parts;
    const removeAt = new Date(clock.now().getTime() + REMOVAL_DELAY_MS);
    const text = "UPDATE blob_removals SET remove_at = $2 WHERE name = ANY ($1::text[]) AND remove_at < $2";
    await sql.query(text, [[...this.#counts.keys()], removeAt]);
  }

  stop(): Promise<void> {
    return this.#loop.stop();
  }
}
