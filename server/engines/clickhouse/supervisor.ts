import { setTimeout as sleep } from "node:timers/promises";
import type { Logger } from "pino";
import { backoffMs } from "../../kernel/backoff";
import type { Sidecar, SidecarExit } from "./launch-sidecar";

type Relaunch = (signal: AbortSignal) => Promise<Sidecar>;

/** An engine that lived this long starts again without the waiting time of its earlier failures. */
const HEALTHY_MS = 30_000;

/** Starts the engine again, with growing pauses, whenever it dies before `stop`. */
export class Supervisor {
  #sidecar: Sidecar;
  readonly #relaunch: Relaunch;
  readonly #log: Logger | undefined;
  readonly #stopping = new AbortController();
  readonly #callbacks: ((exit: SidecarExit) => void)[] = [];
  readonly #watching: Promise<void>;

  constructor(first: Sidecar, relaunch: Relaunch, log: Logger | undefined) {
    this.#sidecar = first;
    this.#relaunch = relaunch;
    this.#log = log;
    this.#watching = this.#watch();
  }

  get pid(): number {
    return this.#sidecar.pid;
  }

  onExit(callback: (exit: SidecarExit) => void): void {
    this.#callbacks.push(callback);
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#sidecar.stop();
    await this.#watching;
    // A relaunch may have succeeded in the moment of the abort.
    await this.#sidecar.stop();
  }

  async #watch(): Promise<void> {
    for (let attempt = 0; ; ) {
      const startedAt = Date.now();
      const exit = await this.#sidecar.exited;
      if (this.#stopping.signal.aborted) return;
      this.#log?.error({ exit }, "the embedded ClickHouse died and is started again");
      for (const callback of this.#callbacks) callback(exit);
      if (Date.now() - startedAt > HEALTHY_MS) attempt = 0;
      attempt = await this.#revive(attempt);
    }
  }

  /** Tries until the engine runs or `stop` was called; answers the number of the next attempt. */
  async #revive(first: number): Promise<number> {
    const { signal } = this.#stopping;
    for (let attempt = first; ; attempt++) {
      try {
        await sleep(backoffMs(attempt, { baseMs: 100 }), undefined, { signal });
        this.#sidecar = await this.#relaunch(signal);
        return attempt + 1;
      } catch (cause) {
        if (signal.aborted) return attempt;
        this.#log?.error({ err: cause }, "the embedded ClickHouse could not be started again yet");
      }
    }
  }
}
