import { setImmediate as nextTurn } from "node:timers/promises";
import type { Logger } from "pino";
import { backoffMs } from "./backoff";
import type { Clock } from "./clock";

/** Background work that is done in rounds. */
export interface Round {
  /** Names it among all rounds. A wake-up with this name, or with one of `wokenBy`, makes it due. */
  topic: string;
  wokenBy?: readonly string[];
  /** Completes "cannot …" in the log. */
  purpose: string;
  /**
   * An SQL query of one timestamp, or NULL: when it is next due although nobody wakes it. It is asked after each run and
   * by the safety net; without it, the safety net runs the round.
   */
  nextDue?: string;
  /** The pause until the next run, in real time, for as long as it returns a number. It is asked after each run. */
  everyMs?: number | (() => number | undefined);
  /** How long a round that was woken waits for more, so that one run does it together. */
  gatherMs?: number;
  /** One run. Returns true if there is more to do, which the next run does at once. */
  run(stopping: AbortSignal): Promise<unknown>;
  /** Resolves when nothing runs that a run has begun without waiting for it. */
  settled?(): Promise<unknown>;
}

export interface RunningRound {
  /** The last run succeeded. */
  readonly isHealthy: boolean;
  /** Starts no further run, and resolves when the one under way has ended. */
  stop(): Promise<void>;
}

/** Where due times and wake-ups of other processes come from. */
export interface AlarmSource {
  /** The earliest due time of each query, in milliseconds of the epoch; topics without one are absent. */
  readDue(queries: ReadonlyMap<string, string>): Promise<ReadonlyMap<string, number>>;
  /** Resolves when every wake-up that was committed before the call has been received. */
  flush(): Promise<void>;
}

export interface AlarmOptions {
  clock: Clock;
  log: Pick<Logger, "info" | "warn">;
  source: AlarmSource;
  /** Rounds run in `settle` only; for tests. */
  isManual?: boolean;
}

/** A lost wake-up delays work by at most this. */
const SAFETY_NET_MS = 30_000;
/** Between two runs of a round that was woken, so that many wake-ups are one run. */
const WOKEN_APART_MS = 5;
/** What is due already and was left by a run, such as what another process has locked, is tried again after this. */
const LEFT_MS = 1000;
const FAILURE_MS = 200;
const BACKOFF_MAX_MS = 2000;
/** Rounds that go on making each other due never come to rest. */
const SETTLING_RUNS_MAX = 500;

/**
 * The one clock of background work. It sleeps until the earliest due time of all rounds, or until somebody wakes a round.
 * Rounds do not wait for each other; a round never runs twice at a time in a process. Several processes may run the same
 * round at a time, so that rounds claim what they change. Failures are logged when they begin and end.
 */
export class Alarms {
  readonly #options: AlarmOptions;
  readonly #entries = new Map<string, Entry>();
  readonly #stopListening: () => void;
  #timer: NodeJS.Timeout | undefined;
  #netAt = performance.now() + SAFETY_NET_MS;
  #refreshing: Promise<void> | undefined;
  #retryDueAt = 0;
  #isTurnDue = false;
  #isStopped = false;

  constructor(options: AlarmOptions) {
    this.#options = options;
    this.#stopListening = options.clock.onJump?.(() => this.#turnSoon()) ?? (() => undefined);
  }

  /** Adds a round, whose first run follows at once. Throws if there is one of this topic. */
  add(round: Round): RunningRound {
    if (this.#entries.has(round.topic)) throw new Error(`there are two rounds of the topic ${round.topic}`);
    const entry = new Entry(round);
    this.#entries.set(round.topic, entry);
    entry.wake(0);
    this.#turnSoon();
    return {
      get isHealthy() {
        return entry.failures === 0;
      },
      stop: async () => {
        this.#entries.delete(round.topic);
        entry.stopping.abort();
        await entry.running;
      },
    };
  }

  /** Makes the rounds of a topic due. */
  wake(topic: string): void {
    for (const entry of this.#entries.values()) if (entry.isWokenBy(topic)) entry.wake(entry.round.gatherMs ?? 0);
    this.#turnSoon();
  }

  /** Makes all rounds due: wake-ups may have been lost. */
  wakeAll(): void {
    for (const entry of this.#entries.values()) entry.wake(0);
    this.#turnSoon();
  }

  /** Whether a round of this process is woken by the topic. */
  isWokenBy(topic: string): boolean {
    return [...this.#entries.values()].some((entry) => entry.isWokenBy(topic));
  }

  /**
   * Runs every round that is due until none is, with what their runs make due and begin. A pause of `everyMs` does not
   * count, nor does the time that a round gathers. Throws the failure of a run if rounds are manual, and if the rounds do
   * not come to rest.
   */
  async settle(): Promise<void> {
    for (let runs = 0; ; ) {
      await this.#options.source.flush();
      const entries = [...this.#entries.values()];
      const begun = entries.filter((entry) => entry.isDueIn(this.#now(), { settles: true }));
      runs += begun.length;
      if (runs > SETTLING_RUNS_MAX) throw new Error(`rounds do not come to rest: ${begun.map(topicOf).join(", ")}`);
      for (const entry of begun) this.#start(entry);
      await Promise.all(entries.map(({ running }) => running));
      await Promise.all(entries.map(({ round }) => round.settled?.()));
      this.#throwFailures(begun);
      await this.#refresh();
      if (begun.length > 0) continue;
      await this.#options.source.flush();
      if (!entries.some((entry) => entry.running || entry.isDueIn(this.#now(), { settles: true }))) return;
    }
  }

  /** Stops every round. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#stopListening();
    clearTimeout(this.#timer);
    for (const entry of this.#entries.values()) entry.stopping.abort();
    await Promise.all([...this.#entries.values()].map(({ running }) => running));
    this.#entries.clear();
    await this.#refreshing;
  }

  #now = (): number => this.#options.clock.now().getTime();

  #throwFailures(entries: readonly Entry[]): void {
    const failed = entries.find(({ failures }) => failures > 0);
    if (failed && this.#options.isManual) throw failed.failure;
  }

  /** All wake-ups of this turn of the event loop are looked at together. */
  #turnSoon(): void {
    if (this.#isTurnDue || this.#isStopped || this.#options.isManual) return;
    this.#isTurnDue = true;
    setImmediate(() => {
      this.#isTurnDue = false;
      if (!this.#isStopped) this.#turn();
    });
  }

  #turn(): void {
    const entries = [...this.#entries.values()];
    if (performance.now() >= this.#netAt) {
      this.#netAt = performance.now() + SAFETY_NET_MS;
      for (const entry of entries) entry.catchInNet();
    }
    for (const entry of entries) if (entry.isDueIn(this.#now())) this.#start(entry);
    if (entries.some(({ needsDue }) => needsDue) && performance.now() >= this.#retryDueAt)
      void this.#refresh().then(() => this.#turnSoon());
    this.#sleep(entries);
  }

  #sleep(entries: readonly Entry[]): void {
    clearTimeout(this.#timer);
    const [nowMs, realMs] = [this.#now(), performance.now()];
    const waits = entries.map((entry) => entry.msUntilDue(nowMs));
    if (entries.some(({ needsDue }) => needsDue)) waits.push(Math.max(1, this.#retryDueAt - realMs));
    const ms = Math.min(this.#netAt - realMs, ...waits);
    this.#timer = setTimeout(() => this.#turnSoon(), Math.max(1, Math.ceil(ms)));
  }

  #start(entry: Entry): void {
    const { round, stopping } = entry;
    entry.begin(this.#now());
    entry.running = (async () => {
      try {
        const hasMore = (await round.run(stopping.signal)) === true;
        if (entry.failures > 0) this.#options.log.info({ failures: entry.failures }, `can ${round.purpose} again`);
        entry.succeeded(hasMore);
      } catch (err) {
        if (entry.failures === 0 && !stopping.signal.aborted)
          this.#options.log.warn({ err }, `cannot ${round.purpose}, retrying`);
        entry.failed(err);
      }
      entry.running = undefined;
      this.#turnSoon();
    })();
  }

  /** One query for the due times that are not known. */
  #refresh(): Promise<void> {
    this.#refreshing ??= this.#readDue().finally(() => {
      this.#refreshing = undefined;
    });
    return this.#refreshing;
  }

  async #readDue(): Promise<void> {
    // Rounds that end in the same turn are asked for together.
    await nextTurn();
    const asked = [...this.#entries.values()].filter(({ needsDue }) => needsDue);
    const queries = new Map(asked.flatMap(({ round }) => (round.nextDue ? [[round.topic, round.nextDue]] : [])));
    if (queries.size === 0) return;
    for (const entry of asked) entry.needsDue = false;
    try {
      const due = await this.#options.source.readDue(queries);
      for (const entry of asked) entry.isNextDue(due.get(entry.round.topic));
      if (this.#retryDueAt > 0) this.#options.log.info({}, "can read when background work is due again");
      this.#retryDueAt = 0;
    } catch (err) {
      for (const entry of asked) entry.needsDue = true;
      if (this.#options.isManual) throw err;
      if (this.#retryDueAt === 0 && !this.#isStopped)
        this.#options.log.warn({ err }, "cannot read when background work is due, retrying");
      this.#retryDueAt = performance.now() + LEFT_MS;
    }
  }
}

const topicOf = ({ round }: Entry): string => round.topic;

/** What is known of a round. Times "at" are of `performance.now()`, others of the clock. */
class Entry {
  readonly stopping = new AbortController();
  running: Promise<void> | undefined;
  failures = 0;
  failure: unknown;
  /** Its due time is to be read. */
  needsDue = false;
  /** Woken runs wait until then. */
  #wokenAt: number | undefined;
  #dueMs: number | undefined;
  #dueNotBeforeAt = 0;
  #notBeforeAt = 0;
  #periodicAt: number | undefined;
  #begunMs = 0;

  constructor(readonly round: Round) {}

  isWokenBy(topic: string): boolean {
    return this.round.topic === topic || (this.round.wokenBy?.includes(topic) ?? false);
  }

  /** A second wake-up does not make the first one wait longer. */
  wake(gatherMs: number): void {
    const at = performance.now() + gatherMs;
    if (this.#wokenAt !== undefined && this.#wokenAt <= at) return;
    this.#wokenAt = at;
  }

  catchInNet(): void {
    if (this.round.nextDue) this.needsDue = true;
    else if (this.round.everyMs === undefined) this.wake(0);
  }

  isDueIn(nowMs: number, { settles = false } = {}): boolean {
    if (this.running || this.stopping.signal.aborted) return false;
    if (settles) return this.#wokenAt !== undefined || (this.#isTimeDue(nowMs) && this.#dueNotBeforeAt === 0);
    return this.msUntilDue(nowMs) <= 0;
  }

  /** Infinity: it is not due before it is woken. */
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
    this.failure = cause;
    this.#notBeforeAt = performance.now() + retryMs;
    this.#wokenAt ??= performance.now();
  }

  isNextDue(dueMs: number | undefined): void {
    this.#dueMs = dueMs;
    const isLeft = dueMs !== undefined && dueMs <= this.#begunMs;
    this.#dueNotBeforeAt = isLeft ? performance.now() + LEFT_MS : 0;
  }

  #isTimeDue(nowMs: number): boolean {
    return this.#dueMs !== undefined && this.#dueMs <= nowMs;
  }
}

const untilAt = (at: number | undefined, realMs: number): number | undefined =>
  at === undefined ? undefined : at - realMs;
