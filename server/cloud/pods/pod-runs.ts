import type { Runtime } from "../../engines/runtime/runtime";

/** What operations use of the machine that runs pods. */
export interface PodRuns {
  /** Why no process of this configuration runs workloads; undefined if this one may. */
  offReason: string | undefined;
  /** Resolves when this process has tried its runtimes, or another process runs the workloads; at the latest after 10 s. */
  whenTried(): Promise<void>;
  /** The runtime of the machine with this id; undefined if another process runs its workloads. */
  runtime(runnerId: string): Pick<Runtime, "logs" | "exec"> | undefined;
  /** Counts a request that follows output or runs a program, until it ends. Throws `rate_limited` for too many of one tenant. */
  follow(tenantId: string): () => void;
}
