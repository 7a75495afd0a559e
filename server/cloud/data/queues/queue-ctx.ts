import type { Pool } from "pg";
import type { ActorCtx } from "../../../identity/identity-ctx";
import type { TenantRoom } from "../../core/stored-bytes/stored-bytes";
import type { QueueEngine } from "../queue-log/queue-engine";

export interface QueueCtx extends ActorCtx {
  /** The same Postgres as `db`, for SQL that Prisma cannot express. */
  sql: Pool;
  /** Where messages are stored and leased. */
  queues: QueueEngine;
  /** How much tenants store, against their limits. */
  storedBytes: TenantRoom;
  /** Aborted when the process begins to stop: requests that wait for messages then end. */
  stopping: AbortSignal;
}
