import type { UsedRuntime } from "../nodes/nodes";
import type { LimitInPods } from "./limit-in-pods";

/** What operations use of the nodes that run pods. */
export interface PodRuns {
  /** Why no process of this configuration runs workloads; undefined if this one may. */
  offReason: string | undefined;
  /** Resolves when this process has tried its runtimes, or another process runs the workloads; at the latest after 10 s. */
  whenTried(): Promise<void>;
  /** The runtime of the node with this id. Throws `unavailable` (reason `node_unreachable`). */
  runtime(nodeId: string): Promise<UsedRuntime>;
  /** Counts a request that follows output or runs a program, until it ends. Throws `rate_limited` for too many of one tenant. */
  follow(tenantId: string): () => void;
  /** Counts connections to ports of pods. Throws `rate_limited` for too many of one pod or tenant, like `openTerminal`. */
  connect: LimitInPods;
  openTerminal: LimitInPods;
}
