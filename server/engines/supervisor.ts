import { setTimeout as sleep } from "node:timers/promises";
import { backoffMs } from "../kernel/backoff";

/** An engine in a process of its own. */
export interface Supervised<Exit> {
  pid: number;
  /** Resolves when the process has ended, for whatever reason. */
  exited: Promise<Exit>;
  /** Ends the process and waits for it; a second call does nothing. */
  stop(): Promise<void>;
}

export interface Supervise<Exit> {
  /** Starts the engine again in the same place; gives up when the signal aborts, and then leaves nothing running. */
  relaunch(signal: AbortSignal): Promise<Supervised<Exit>>;
  /** The engine exited unexpectedly. */
  onDeath(exit: Exit, pid: number): void;
  /** The restart failed; another attempt follows. */
  onFailure(cause: unknown): void;
}

/** An engine that ran this long is restarted without the delay caused by its earlier failures. */
const HEALTHY_MS = 30_000;

/** Restarts an engine, with growing pauses, whenever it exits before `stop`. */
export class Supervisor<Exit> {
  #engine: Supervised<Exit>;
  readonly #parts: Supervise<Exit>;
  readonly #stopping = new AbortController();
  readonly #aborted: Promise<void>;
  readonly #watching: Promise<void>;

  constructor(first: Supervised<Exit>, parts: Supervise<Exit>) {
    this.#engine = first;
    this.#parts = parts;
    this.#aborted = new Promise((resolve) => {
      this.#stopping.signal.addEventListener("abort", () => resolve(), { once: true });
    });
    this.#watching = this.#watch();
  }

  get pid(): number {
    return this.#engine.pid;
  }

  /** Ends the engine as a crash would; it is then restarted. */
  restart(): Promise<void> {
    return this.#engine.stop();
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#watching;
    // A relaunch may have succeeded just before the abort, so this is the last engine that was started.
    await this.#engine.stop();
  }

  async #watch(): Promise<void> {
    const { signal } = this.#stopping;
    for (let attempt = 0; ; ) {
      const startedAt = Date.now();
      const exit = await Promise.race([this.#engine.exited, this.#aborted]);
      if (signal.aborted) return;
      this.#parts.onDeath(exit as Exit, this.pid);
      if (Date.now() - startedAt > HEALTHY_MS) attempt = 0;
      attempt = await this.#revive(attempt);
    }
  }

  /** Retries until the engine runs or `stop` was called; returns the number of the next attempt. */
  async #revive(first: number): Promise<number> {
    const { signal } = this.#stopping;
    for (let attempt = first; ; attempt++) {
      try {
        await sleep(backoffMs(attempt, { baseMs: 100 }), undefined, { signal, ref: false });
        this.#engine = await this.#parts.relaunch(signal);
        return attempt + 1;
      } catch (cause) {
        if (signal.aborted) return attempt;
        this.#parts.onFailure(cause);
      }
    }
  }
}
