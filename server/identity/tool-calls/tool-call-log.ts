import { randomUUID } from "node:crypto";
import type { CalledTool } from "./tool-call";

interface ToolCallBatch {
  /** The same whenever the batch is sent, so that ClickHouse stores it once. */
  token: string;
  calls: readonly CalledTool[];
}

/** Calls in memory, about 3 MB; further ones are not recorded. */
const CALLS_MAX = 10_000;
/** Of one key between two batches, so that a key that is refused in a loop fills neither memory nor disk. */
const KEY_CALLS_MAX = 100;

/**
 * Collects calls of tools in memory. Batches are stored one after the other: as long as the current one is not stored,
 * `take` returns it again, unchanged, and new calls gather for the next one.
 */
export class ToolCallLog {
  readonly #process = randomUUID();
  readonly #keyCalls = new Map<string, number>();
  #calls: CalledTool[] = [];
  #batch: ToolCallBatch | undefined;
  #batches = 0;

  record(call: CalledTool): void {
    const known = this.#keyCalls.get(call.keyId) ?? 0;
    if (this.#calls.length >= CALLS_MAX || known >= KEY_CALLS_MAX) return;
    this.#keyCalls.set(call.keyId, known + 1);
    this.#calls.push(call);
  }

  /** The batch to store; undefined: there are no calls. Call `stored` once it is stored. */
  take(): ToolCallBatch | undefined {
    if (!this.#batch && this.#calls.length > 0) {
      this.#batch = { token: `tool_calls:${this.#process}:${++this.#batches}`, calls: this.#calls };
      this.#calls = [];
      this.#keyCalls.clear();
    }
    return this.#batch;
  }

  stored(batch: ToolCallBatch): void {
    if (this.#batch === batch) this.#batch = undefined;
  }
}
