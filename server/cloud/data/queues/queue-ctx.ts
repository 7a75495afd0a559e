import type { SqlCtx } from "../../../identity/identity-ctx";
import type { TenantRoom } from "../../core/stored-bytes/stored-bytes";
import type { QueueEngine } from "../queue-log/queue-engine";

export interface QueueCtx extends SqlCtx {
  /** Where messages are stored and leased. */
  queues: QueueEngine;
  /** How much tenants store, against their limits. */
  storedBytes: TenantRoom;
  /** Aborted when the process begins to stop: requests that wait for messages then end. */
  stopping: AbortSignal;
}
