import type { Pool } from "pg";
import type { ActorCtx } from "../../../identity/identity-ctx";
import type { PodRuns } from "../../compute/pods/pod-runs";
import type { GpuPools } from "../../compute/pools/pools";
import type { ReconcileCtx } from "../../core/reconciler/reconcile-ctx";
import type { TenantRoom } from "../../core/stored-bytes/stored-bytes";
import type { ChatGateway } from "../gateway/gateway";

export interface InferenceCtx extends ActorCtx {
  /** The same Postgres as `db`, for SQL that Prisma cannot express. */
  sql: Pool;
  /** Seals secrets that are stored in rows. */
  encryptionKey: Buffer;
  /** The root of the master keys of secrets. */
  secretsKey: Buffer;
  publicUrl: string;
  /** How much tenants store, against their limits. */
  storedBytes: TenantRoom;
  /** The machine of this process that runs pods. */
  podRuns: PodRuns;
  /** The pools of GPUs that pods are placed on. */
  gpuPools: GpuPools;
  /** The currency of the installation, such as USD. */
  currency: string;
  /** The models of all upstreams. */
  gateway: ChatGateway;
  /** What takes the next steps of a resource. */
  reconciling: ReconcileCtx;
  /** Aborted when the process begins to stop: requests that wait for messages then end. */
  stopping: AbortSignal;
}

/** The part of the context that is the same for every call. */
export type InferenceParts = Omit<InferenceCtx, "actor" | "request">;
