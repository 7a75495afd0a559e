import type { SqlCtx } from "../../../identity/identity-ctx";
import type { PodRuns } from "../../compute/pods/pod-runs";
import type { TenantRoom } from "../../core/stored-bytes/stored-bytes";
import type { EdgeRunner } from "./edge-runner";

export interface EdgeCtx extends SqlCtx {
  /** How much tenants store, against their limits. */
  storedBytes: TenantRoom;
  /** The node of this process, which runs pods. */
  podRuns: PodRuns;
  /** Runs edge functions in this process. */
  edge: EdgeRunner;
  /** Aborted when the process begins to stop: requests that wait for messages then end. */
  stopping: AbortSignal;
}
