import { backoffMs } from "./backoff";

/** Between two runs of a round that was woken, so that many wake-ups are one run. */
const WOKEN_APART_MS = 5;
/** What is due already and was left by a run, such as what another process has locked, is tried again after this. */
export const LEFT_MS = 1000;
const FAILURE_MS = 200;
const BACKOFF_MAX_MS = 2000;

/**
 * A `nextDue` for work that waits for something that no wake-up tells: while the query finds a row it is always due, which
 * is once a second.
 */
export const dueWhile = (query: string): string => `SELECT to_timestamp(0) WHERE EXISTS (${query})`;

/** Background work that is done in rounds. */
export interface Round {
  /** Names it among all rounds. A wake-up with this name, or with one of `wokenBy`, makes it due. */
  topic: string;
  wokenBy?: readonly string[];
  /** Completes "cannot …" in the log. */
  purpose: string;
  /**
   * An SQL query for one timestamp: when the round is next due if nothing wakes it; NULL means never. The query runs after
   * each run and every 30 s.
   */
  nextDue?: string;
  /**
   * The pause before the next run, in milliseconds of real time. A function is called after each run; `undefined` means that
   * there is no next run until the round is woken; without a due time, the safety net wakes it every 5 minutes.
   */
  everyMs?: number | (() => number | undefined);
  /** How long a round that was woken waits for further wake-ups, so that one run serves them all. */
  gatherMs?: number;
  /** One run. Returns true if there is more to do: then the next run follows at once. */
  run(stopping: AbortSignal): Promise<unknown>;
  /** Resolves when everything that runs have started without waiting for it has ended. */
  idle?(): Promise<unknown>;
}

/** When one round runs next. Fields that end in `At` are times of `performance.now()`, the others of the clock. */
export class RoundState {
  readonly stopping = new AbortController();
  running: Promise<void> | undefined;
  failures = 0;
  failure: unknown;
  /** Its due time must be read again. */
  needsDue = false;
  /** Since when a run is wanted, or from when on if the round gathers wake-ups. */
  #wokenAt: number | undefined;
  #dueMs: number | undefined;
  #dueNotBeforeAt = 0;
  #notBeforeAt = 0;
  #periodicAt: number | undefined;
  #begunMs = 0;
  #endedAt = 0;

  constructor(readonly round: Round) {}

  isWokenBy(topic: string): boolean {
    return this.round.topic === topic || (this.round.wokenBy?.includes(topic) ?? false);
  }

  /** Makes it due after `gatherMs`. A later wake-up does not delay an earlier one. */
  wake(gatherMs: number): void {
    const at = performance.now() + gatherMs;
    if (this.#wokenAt !== undefined && this.#wokenAt <= at) return;
    this.#wokenAt = at;
  }

  /** Corrects what a lost wake-up has left undone; with `runs` also where no due time tells it. */
  checkAgain({ runs }: { runs: boolean }): void {
    if (this.round.nextDue) this.needsDue = true;
    else if (runs && this.#periodicAt === undefined) this.wake(0);
  }

  isDueIn(nowMs: number, { settles = false } = {}): boolean {
    if (this.running || this.stopping.signal.aborted) return false;
    if (settles) return this.#wokenAt !== undefined || (this.#isTimeDue(nowMs) && this.#dueNotBeforeAt === 0);
    return this.msUntilDue(nowMs) <= 0;
  }

  /** Infinity: it does not run before it is woken. */
  msUntilDue(nowMs: number): number {
    if (this.running) return Number.POSITIVE_INFINITY;
    const realMs = performance.now();
    const dueMs = this.#dueMs === undefined ? undefined : Math.max(this.#dueMs - nowMs, this.#dueNotBeforeAt - realMs);
    const waits = [dueMs, untilAt(this.#wokenAt, realMs), untilAt(this.#periodicAt, realMs)];
    const ms = Math.min(...waits.filter((wait) => wait !== undefined));
    return Math.max(ms, this.#notBeforeAt - realMs);
  }

  begin(nowMs: number): void {
    this.#wokenAt = undefined;
    this.#dueMs = undefined;
    this.#periodicAt = undefined;
    this.#begunMs = nowMs;
  }

  succeeded(hasMore: boolean): void {
    this.failures = 0;
    this.failure = undefined;
    this.#endedAt = performance.now();
    this.#notBeforeAt = hasMore ? 0 : performance.now() + WOKEN_APART_MS;
    if (hasMore) this.#wokenAt = performance.now();
    this.needsDue = this.round.nextDue !== undefined;
    const { everyMs } = this.round;
    const ms = typeof everyMs === "function" ? everyMs() : everyMs;
    this.#periodicAt = ms === undefined ? undefined : performance.now() + ms;
  }

  failed(cause: unknown): void {
    const retryMs = FAILURE_MS + backoffMs(this.failures, { maxMs: BACKOFF_MAX_MS });
    this.failures++;
    this.#endedAt = performance.now();
    this.failure = cause;
    this.#notBeforeAt = performance.now() + retryMs;
    this.#wokenAt ??= performance.now();
  }

  setDue(dueMs: number | undefined): void {
    this.#dueMs = dueMs;
    const isLeft = dueMs !== undefined && dueMs <= this.#begunMs;
    this.#dueNotBeforeAt = isLeft ? this.#endedAt + LEFT_MS : 0;
  }

  #isTimeDue(nowMs: number): boolean {
    return this.#dueMs !== undefined && this.#dueMs <= nowMs;
  }
}

const untilAt = (at: number | undefined, realMs: number): number | undefined =>
  at === undefined ? undefined : at - realMs;
