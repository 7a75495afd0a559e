import type { Pool } from "pg";
import type { Logger } from "pino";
import type { Room } from "../../../engines/disk-space/disk-space";
import { type Repeating, repeat } from "../../../kernel/repeat";
import { type Holder, SharedAmount } from "../../../kernel/shared-amount";
import { withTimeout } from "../../../kernel/with-timeout";
import { addLogLines, type NewLogLine } from "./edge-logs.sql";

const FLUSH_MS = 250;
/** Lines that wait to be stored, of all functions; those of one tenant alone are at most half of them. */
const WAITING_MAX = 5000;
const TENANT_OF_FREE = 1;
const BATCH = 1000;
/** For the last ones, when svc stops. */
const STOP_MS = 5000;
/** Of one function in one process. */
const LINES_PER_MINUTE_MAX = 1000;
const MINUTE_MS = 60_000;
const TEXT_CHARACTERS_MAX = 8192;

interface TenantLogLine extends NewLogLine {
  tenantId: string;
}

/** Stores what edge functions print and which requests they receive, a moment later and together. */
export class EdgeLogs {
  readonly #sql: Pool;
  readonly #log: Pick<Logger, "info" | "warn">;
  readonly #space: Room | undefined;
  readonly #loop: Repeating;
  readonly #room = new SharedAmount(WAITING_MAX);
  #waiting: TenantLogLine[] = [];
  #counts = new Map<string, number>();
  #minute = 0;

  constructor({ sql, log, space }: { sql: Pool; log: Pick<Logger, "info" | "warn">; space?: Room | undefined }) {
    this.#sql = sql;
    this.#log = log;
    this.#space = space;
    this.#loop = repeat({ everyMs: FLUSH_MS, log, purpose: "store log lines of edge functions" }, () => this.#flush());
  }

  /**
   * Leaves out what is beyond 1,000 lines of a function in a minute, and says so once; what is beyond the share of its tenant
   * of the lines that wait; and all while the disk is full.
   */
  add(line: TenantLogLine): void {
    if (this.#space?.isLow) return;
    const minute = Math.floor(line.at.getTime() / MINUTE_MS);
    if (minute !== this.#minute) this.#counts = new Map();
    this.#minute = minute;
    const count = (this.#counts.get(line.edgeId) ?? 0) + 1;
    this.#counts.set(line.edgeId, count);
    if (count > LINES_PER_MINUTE_MAX || !this.#room.take(holdersOf(line), 1)) return;
    // Postgres stores no NUL.
    const text = line.text.slice(0, TEXT_CHARACTERS_MAX).replaceAll("\0", "\uFFFD");
    this.#waiting.push({ ...line, text });
    if (count < LINES_PER_MINUTE_MAX || !this.#room.take(holdersOf(line), 1)) return;
    this.#waiting.push({ ...line, level: "warn", text: LEFT_OUT });
  }

  /** Stores all that waits, and ends; what cannot be stored within `stopMs` is lost, and the log says how much. */
  async stop(stopMs = STOP_MS): Promise<void> {
    const until = performance.now() + stopMs;
    const inTime = (work: Promise<unknown>) => withTimeout(Math.max(until - performance.now(), 0), work);
    try {
      await inTime(this.#loop.stop());
      while (this.#waiting.length > 0) await inTime(this.#flush());
    } catch (err) {
      this.#log.warn({ err, lines: this.#waiting.length }, "log lines of edge functions were not stored");
    }
  }

  async #flush(): Promise<boolean> {
    const lines = this.#waiting.slice(0, BATCH);
    if (lines.length === 0) return false;
    await addLogLines(this.#sql, lines);
    this.#waiting = this.#waiting.slice(lines.length);
    for (const line of lines) this.#room.release(holdersOf(line), 1);
    return this.#waiting.length > 0;
  }
}

const holdersOf = ({ tenantId }: TenantLogLine): Holder[] => [{ key: tenantId, ofFree: TENANT_OF_FREE }];

const LEFT_OUT = `More than ${LINES_PER_MINUTE_MAX} lines in a minute: the others of this minute are left out.`;
