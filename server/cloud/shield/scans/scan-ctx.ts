import type { ActorCtx } from "../../../identity/identity-ctx";

export interface ScanCtx extends ActorCtx {
  /** Aborted when the process begins to stop: requests that wait for messages then end. */
  stopping: AbortSignal;
}
