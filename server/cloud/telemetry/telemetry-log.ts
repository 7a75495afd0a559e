import type { Wal } from "../../engines/wal/wal";
import { pause } from "../../kernel/pause";
import type { Signal, TelemetryFields } from "./telemetry";

/** The first character of a line, for each signal; the id of the store and the row follow. */
const MARKS = { metric: "M", log: "L", trace: "T" } as const satisfies Record<Signal, string>;
const SIGNAL_OF = new Map<string, Signal>(Object.entries(MARKS).map(([signal, mark]) => [mark, signal as Signal]));
const POLL_MS = 20;

/** A line of the write-ahead file. */
export interface TelemetryLine {
  signal: Signal;
  rid: string;
  /** JSON, as it is sent to ClickHouse. */
  row: string;
}

interface Batch {
  rid: string;
  signal: Signal;
  rows: readonly TelemetryFields[];
}

/** Durable records that wait for ClickHouse in this process's write-ahead file. */
export class TelemetryLog {
  readonly #wal: Pick<Wal, "append">;
  /** How many records of a store wait that this process has appended. */
  readonly #waiting = new Map<string, number>();

  constructor(wal: Pick<Wal, "append">) {
    this.#wal = wal;
  }

  /** Resolves when the rows are durable. Throws `unavailable` if too many wait, or if the disk write fails. */
  async append({ rid, signal, rows }: Batch): Promise<void> {
    const mark = MARKS[signal];
    this.#add(rid, rows.length);
    const appended = await Promise.allSettled(
      rows.map((row) => this.#wal.append(`${mark}${rid} ${JSON.stringify(row)}`)),
    );
    const failures = appended.flatMap((one) => (one.status === "rejected" ? [one.reason] : []));
    this.#add(rid, -failures.length);
    if (failures.length > 0) throw failures[0];
  }

  /** Lines are in ClickHouse, or were dropped with their store. */
  shipped(lines: readonly Pick<TelemetryLine, "rid">[]): void {
    for (const { rid } of lines) this.#add(rid, -1);
  }

  /** Waits until the records that this process has appended are in ClickHouse, up to `maxMs`. */
  async settled(rid: string, maxMs: number, signal: AbortSignal): Promise<void> {
    for (const until = Date.now() + maxMs; this.#waiting.has(rid) && Date.now() < until && !signal.aborted; )
      await pause(POLL_MS, signal);
  }

  #add(rid: string, count: number): void {
    const waiting = (this.#waiting.get(rid) ?? 0) + count;
    if (waiting > 0) this.#waiting.set(rid, waiting);
    else this.#waiting.delete(rid);
  }
}

/** undefined for what is no line of telemetry. */
export function parseLine(line: string): TelemetryLine | undefined {
  const signal = SIGNAL_OF.get(line.charAt(0));
  const space = line.indexOf(" ");
  if (!signal || space < 0) return undefined;
  return { signal, rid: line.slice(1, space), row: line.slice(space + 1) };
}
