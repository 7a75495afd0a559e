import { setImmediate as nextTurn } from "node:timers/promises";
import type { Logger } from "pino";
import type { Clock } from "./clock";
import { LEFT_MS, type Round, RoundState } from "./round";

export interface RunningRound {
  /** The last run succeeded. */
  readonly isHealthy: boolean;
  /** Starts no further run, and resolves when the one under way has ended. */
  stop(): Promise<void>;
}

/** The source of due times and of wake-ups by other processes. */
export interface AlarmSource {
  /**
   * The earliest due time of each query, in milliseconds of the epoch; topics without one are absent. An answer, also to no
   * query, shows that every wake-up that was committed before has been received, or will be at once; a source that cannot
   * show that makes all rounds due.
   */
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
  /** How often the safety net looks; default: 30 s. */
  safetyNetMs?: number;
}

/** A lost wake-up delays work by at most this: the safety net reads due times, which shows whether wake-ups arrive. */
const SAFETY_NET_MS = 30_000;
/** Rounds that only a wake-up makes due also run in every tenth look of the safety net, which is every 5 minutes. */
const LOOKS_PER_RUN = 10;
/** More runs than this in one `settle` mean that rounds make each other due without end. */
const SETTLING_RUNS_MAX = 500;

/**
 * Schedules all background work of a process with one timer, which is set to the earliest time at which a round is due.
 * Rounds run concurrently; one round never runs twice at the same time in a process. Other processes may run the same
 * round at the same time, so a round must claim what it changes. Failures are logged when they begin and when they end.
 */
export class Alarms {
  readonly #options: AlarmOptions;
  readonly #states = new Map<string, RoundState>();
  readonly #stopListening: () => void;
  #timer: NodeJS.Timeout | undefined;
  readonly #netMs: number;
  #netAt: number;
  #looks = 0;
  /** Due times are read even if all are known: an answer shows that wake-ups arrive. */
  #needsProof = false;
  #refreshing: Promise<void> | undefined;
  #retryDueAt = 0;
  #isTurnDue = false;
  #isStopped = false;

  constructor(options: AlarmOptions) {
    this.#options = options;
    this.#netMs = options.safetyNetMs ?? SAFETY_NET_MS;
    this.#netAt = performance.now() + this.#netMs;
    this.#stopListening = options.clock.onJump?.(() => this.#jumped()) ?? (() => undefined);
  }

  /** Adds a round, whose first run follows at once. Throws if there is one of this topic. */
  add(round: Round): RunningRound {
    if (this.#states.has(round.topic)) throw new Error(`there are two rounds of the topic ${round.topic}`);
    const state = new RoundState(round);
    this.#states.set(round.topic, state);
    state.wake(0);
    this.#turnSoon();
    return {
      get isHealthy() {
        return state.failures === 0;
      },
      stop: async () => {
        this.#states.delete(round.topic);
        state.stopping.abort();
        await state.running;
      },
    };
  }

  /** Makes the rounds of a topic due. */
  wake(topic: string): void {
    for (const state of this.#states.values()) if (state.isWokenBy(topic)) state.wake(state.round.gatherMs ?? 0);
    this.#turnSoon();
  }

  /** Whether a round of this process has the topic. */
  has(topic: string): boolean {
    return [...this.#states.values()].some((state) => state.isWokenBy(topic));
  }

  /** Makes all rounds due: wake-ups may have been lost. */
  wakeAll(): void {
    for (const state of this.#states.values()) state.wake(0);
    this.#turnSoon();
  }

  /**
   * Runs all rounds that are due, and those that become due by these runs, until none is left. It skips the wait of
   * `gatherMs` and does not wait for `everyMs`. Throws if rounds do not come to rest; with `isManual` also if a run fails.
   */
  async settle(): Promise<void> {
    for (let runs = 0; ; ) {
      await this.#options.source.flush();
      const states = [...this.#states.values()];
      const begun = states.filter((state) => state.isDueIn(this.#now(), { settles: true }));
      runs += begun.length;
      if (runs > SETTLING_RUNS_MAX) throw new Error(`rounds do not come to rest: ${begun.map(topicOf).join(", ")}`);
      for (const state of begun) this.#start(state);
      await Promise.all(states.map(({ running }) => running));
      await Promise.all(states.map(({ round }) => round.idle?.()));
      this.#throwFailures(begun);
      await this.#refresh();
      if (begun.length > 0 || states.some(({ needsDue }) => needsDue)) continue;
      await this.#options.source.flush();
      if (!states.some((state) => state.running || state.isDueIn(this.#now(), { settles: true }))) return;
    }
  }

  /** Stops every round. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#stopListening();
    clearTimeout(this.#timer);
    for (const state of this.#states.values()) state.stopping.abort();
    await Promise.all([...this.#states.values()].map(({ running }) => running));
    this.#states.clear();
    await this.#refreshing;
  }

  #now = (): number => this.#options.clock.now().getTime();

  #throwFailures(states: readonly RoundState[]): void {
    const failed = states.find(({ failures }) => failures > 0);
    if (failed && this.#options.isManual) throw failed.failure;
  }

  /** Rounds without a due time may depend on the clock in ways that are not known here. */
  #jumped(): void {
    for (const state of this.#states.values()) if (!state.round.nextDue) state.wake(0);
    this.#turnSoon();
  }

  /** Wake-ups in the same turn of the event loop are handled together. */
  #turnSoon(): void {
    if (this.#isTurnDue || this.#isStopped || this.#options.isManual) return;
    this.#isTurnDue = true;
    setImmediate(() => {
      this.#isTurnDue = false;
      if (!this.#isStopped) this.#turn();
    });
  }

  #turn(): void {
    const states = [...this.#states.values()];
    if (performance.now() >= this.#netAt) {
      this.#netAt = performance.now() + this.#netMs;
      this.#needsProof = true;
      const runs = ++this.#looks % LOOKS_PER_RUN === 0;
      for (const state of states) state.checkAgain({ runs });
    }
    for (const state of states) if (state.isDueIn(this.#now())) this.#start(state);
    if (this.#canRefresh(states) && performance.now() >= this.#retryDueAt)
      void this.#refresh().then(() => this.#turnSoon());
    this.#sleep(states);
  }

  /** Another read follows when the one under way has ended. */
  #canRefresh(states: readonly RoundState[]): boolean {
    return this.#refreshing === undefined && (this.#needsProof || states.some(({ needsDue }) => needsDue));
  }

  #sleep(states: readonly RoundState[]): void {
    clearTimeout(this.#timer);
    const [nowMs, realMs] = [this.#now(), performance.now()];
    const waits = states.map((state) => state.msUntilDue(nowMs));
    if (this.#canRefresh(states)) waits.push(this.#retryDueAt - realMs);
    const ms = Math.min(this.#netAt - realMs, ...waits);
    this.#timer = setTimeout(() => this.#turnSoon(), Math.max(1, Math.ceil(ms)));
  }

  #start(state: RoundState): void {
    const { round, stopping } = state;
    state.begin(this.#now());
    state.running = (async () => {
      try {
        const hasMore = (await round.run(stopping.signal)) === true;
        if (state.failures > 0) this.#options.log.info({ failures: state.failures }, `can ${round.purpose} again`);
        state.succeeded(hasMore);
      } catch (err) {
        if (state.failures === 0 && !stopping.signal.aborted)
          this.#options.log.warn({ err }, `cannot ${round.purpose}, retrying`);
        state.failed(err);
      }
      state.running = undefined;
      this.#turnSoon();
    })();
  }

  /** Reads all unknown due times with one query. */
  #refresh(): Promise<void> {
    this.#refreshing ??= this.#readDue().finally(() => {
      this.#refreshing = undefined;
    });
    return this.#refreshing;
  }

  async #readDue(): Promise<void> {
    // Rounds that end in the same turn share a query.
    await nextTurn();
    const stale = [...this.#states.values()].filter(({ needsDue }) => needsDue);
    const queries = new Map(stale.flatMap(({ round }) => (round.nextDue ? [[round.topic, round.nextDue]] : [])));
    if (queries.size === 0 && !this.#needsProof) return;
    for (const state of stale) state.needsDue = false;
    this.#needsProof = false;
    try {
      const due = await this.#options.source.readDue(queries);
      for (const state of stale) state.setDue(due.get(state.round.topic));
      if (this.#retryDueAt > 0) this.#options.log.info({}, "can read when background work is due again");
      this.#retryDueAt = 0;
    } catch (err) {
      for (const state of stale) state.needsDue = true;
      this.#needsProof = true;
      if (this.#options.isManual) throw err;
      if (this.#retryDueAt === 0 && !this.#isStopped)
        this.#options.log.warn({ err }, "cannot read when background work is due, retrying");
      this.#retryDueAt = performance.now() + LEFT_MS;
    }
  }
}

const topicOf = ({ round }: RoundState): string => round.topic;
