import type { Readable } from "node:stream";
import { type Allocation, type Exited, type Observation, RuntimeError, type StartReport } from "./runtime";
import { endWorkload, untilNotStarting } from "./workload-ends";
import { WorkloadStarts } from "./workload-starts";

/** What a runtime of this node knows of a workload; `starting`: another process, or its supervisor, starts it. */
export type WorkloadState<R extends { state: "running"; startedAt: Date }> =
  | { state: "absent" }
  | { state: "starting" }
  | R
  | Exited;

/** Of a workload that an earlier call has started. */
export const NOT_KNOWN: StartReport = { pulledBytes: null };

export interface StartSteps {
  /** Makes what the workload needs, and starts it. */
  prepare: (signal: AbortSignal) => Promise<StartReport>;
  /** Removes what a failed start has left. */
  cleanUp: () => Promise<void>;
  /** Completes "The workload did not start: … .", for a failure that is no RuntimeError. */
  reasonOf?: (cause: unknown) => string | undefined;
}

export interface EndSteps<R> {
  graceSeconds: number;
  /** A paused program cannot use the time. */
  isPaused: boolean;
  /** Sends the stop signal; resolves to false as long as it cannot be sent yet. */
  stop: (running: R) => () => Promise<boolean>;
  kill: (running: R) => Promise<void>;
}

/** The steps that all runtimes of this node take alike, over the state that each of them reads in its own way. */
export class WorkloadLife<R extends { state: "running"; startedAt: Date }> {
  readonly starts = new WorkloadStarts();
  readonly #stateOf: (id: string) => Promise<WorkloadState<R>>;

  constructor(stateOf: (id: string) => Promise<WorkloadState<R>>) {
    this.#stateOf = stateOf;
  }

  async observe(id: string): Promise<Observation> {
    const state = await this.#stateOf(id);
    switch (state.state) {
      case "running":
        return { state: "running", startedAt: state.startedAt };
      case "starting":
        return { state: "preparing" };
      case "absent":
        return { state: this.starts.has(id) ? "preparing" : "absent" };
      case "exited":
        return state;
    }
  }

  /** The state of a workload that runs. Throws `not_running`. */
  async running(id: string): Promise<R> {
    const state = await this.#stateOf(id);
    if (state.state === "running") return state;
    throw new RuntimeError("not_running", "The workload does not run.");
  }

  /** The state of a workload that runs; undefined if it does not. */
  async ifRunning(id: string): Promise<R | undefined> {
    const state = await this.#stateOf(id);
    return state.state === "running" ? state : undefined;
  }

  /** Starts a workload unless it is there already; concurrent calls start it once. Throws `start_failed`. */
  start({ id }: Pick<Allocation, "id">, { prepare, cleanUp, reasonOf }: StartSteps): Promise<StartReport> {
    return this.starts.once(id, async (signal) => {
      // An earlier process may have started it.
      if ((await untilNotStarting(() => this.#stateOf(id))).state !== "absent") return NOT_KNOWN;
      try {
        return await prepare(signal);
      } catch (cause) {
        await cleanUp();
        signal.throwIfAborted();
        if (cause instanceof RuntimeError) throw cause;
        const reason = reasonOf?.(cause) ?? "a step of its preparation failed";
        throw new RuntimeError("start_failed", `The workload did not start: ${reason}.`, { cause });
      }
    });
  }

  /** Ends a workload, and its start. `steps` is asked when it runs. */
  async terminate(id: string, steps: () => Promise<EndSteps<R>>): Promise<Observation> {
    const state = await untilNotStarting(() => this.#stateOf(id));
    if (state.state !== "running") return this.observe(id);
    const { graceSeconds, isPaused, stop, kill } = await steps();
    return endWorkload({
      graceSeconds: isPaused ? 0 : graceSeconds,
      stop: stop(state),
      kill: () => kill(state),
      observe: () => this.observe(id),
    });
  }
}

/** Runs `start` with what is restored, which is destroyed in the end; it may fail before it is read. */
export async function withRestored<T>(restore: Readable | undefined, start: () => Promise<T>): Promise<T> {
  // Who reads it reports the failure.
  restore?.on("error", () => {});
  try {
    return await start();
  } finally {
    restore?.destroy();
  }
}
