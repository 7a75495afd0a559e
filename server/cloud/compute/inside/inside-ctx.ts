import type { ActorCtx } from "../../../identity/identity-ctx";
import type { PodRuns } from "../pods/pod-runs";

export interface InsideCtx extends ActorCtx {
  /** Seals secrets that are stored in rows. */
  encryptionKey: Buffer;
  /** The node of this process, which runs pods. */
  podRuns: PodRuns;
  /** Aborted when the process begins to stop: requests that wait for messages then end. */
  stopping: AbortSignal;
}
