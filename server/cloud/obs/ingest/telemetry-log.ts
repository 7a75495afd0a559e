import type { Room } from "../../../engines/disk-space/disk-space";
import type { Wal } from "../../../engines/wal/wal";
import { pause } from "../../../kernel/pause";

const POLL_MS = 20;

/** Durable requests that wait for ClickHouse in this process's write-ahead file. */
export class TelemetryLog {
  readonly #wal: Pick<Wal, "append">;
  readonly #space: Room | undefined;
  /** How many requests of a store wait that this process has appended. */
  readonly #waiting = new Map<string, number>();

  constructor(wal: Pick<Wal, "append">, space?: Room) {
    this.#wal = wal;
    this.#space = space;
  }

  /** Resolves when the line is durable. Throws `unavailable` if too many wait, or if the disk is full or its write fails. */
  async append(rid: string, line: string): Promise<void> {
    this.#space?.assertRoom();
    this.#add(rid, 1);
    try {
      await this.#wal.append(line);
    } catch (failure) {
      this.#add(rid, -1);
      throw failure;
    }
  }

  /** Lines are in ClickHouse, or were dropped with their store. */
  shipped(lines: readonly { rid: string }[]): void {
    for (const { rid } of lines) this.#add(rid, -1);
  }

  /** Waits until the requests that this process has appended are in ClickHouse, up to `maxMs`. */
  async idle(rid: string, maxMs: number, signal: AbortSignal): Promise<void> {
    for (const until = Date.now() + maxMs; this.#waiting.has(rid) && Date.now() < until && !signal.aborted; )
      await pause(POLL_MS, signal);
  }

  #add(rid: string, count: number): void {
    const waiting = (this.#waiting.get(rid) ?? 0) + count;
    if (waiting > 0) this.#waiting.set(rid, waiting);
    else this.#waiting.delete(rid);
  }
}
