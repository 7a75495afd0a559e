import type { Owner } from "../../../operation/actor";
import type { InvocationError, LogLine } from "./invocation";

/** A module of a tenant, and the name of the export that is called. */
export interface ModuleCode {
  code: string;
  entry: string;
}

export const RUNTIMES = ["javascript", "node", "python"] as const;
/** `javascript` is workerd; the others run in pods. */
export type FunctionRuntime = (typeof RUNTIMES)[number];

/** In what a function runs. */
export interface RunsIn {
  runtime: string;
  /** Of its pods; null for workerd. */
  image: string | null;
  memoryMb: number | null;
}

/** What a run needs to know of a function. */
export interface RunnableFunction extends Owner, RunsIn {
  id: string;
  name: string;
  env: Record<string, string | { secret: string }>;
  timeoutMs: number;
  concurrencyMax: number;
}

export interface FunctionRun {
  invocationId: string;
  version: number;
  /** JSON. */
  payload: string;
  /** The time of the schedule that it is for. */
  scheduledAt?: Date | null | undefined;
  /** From 1, which is the default. */
  attempt?: number | undefined;
  signal?: AbortSignal | undefined;
}

/** How a run ended. */
export interface Outcome {
  /** JSON; undefined: it failed. */
  result?: string;
  error?: InvocationError;
  logs: LogLine[];
  durationMs: number;
}

/** What runs functions in this process. */
export interface FunctionRunner {
  /**
   * Loads a module, apart from those that serve. Throws `unprocessable` (reason `load_failed`), with the line, for one that
   * does not load, or does not export a function of the name. Those that run in pods are not loaded.
   */
  check(owner: Owner & Pick<RunsIn, "image">, module: ModuleCode): Promise<void>;
  /** Runs a version. Throws `unavailable`, and `rate_limited` if the function runs as often as it may. */
  run(fn: RunnableFunction, run: FunctionRun): Promise<Outcome>;
}
