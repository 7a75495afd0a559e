import type { Pool } from "pg";
import type { ActorCtx } from "../../../identity/identity-ctx";
import type { Families } from "../../core/kinds/families";
import type { WaitUntilStable } from "../../core/records/resource-ctx";
import type { TenantRoom } from "../../core/stored-bytes/stored-bytes";
import type { PodRuns } from "../pods/pod-runs";
import type { GpuPools } from "../pools/pools";
import type { ClusterHost } from "./cluster-host";

export interface ClusterCtx extends ActorCtx {
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
  /** The Kubernetes in which clusters are made. */
  clusterHost: ClusterHost;
  /** The currency of the installation, such as USD. */
  currency: string;
  /** What makes resources real, by service. */
  families: Families;
  waitUntilStable: WaitUntilStable;
  /** Aborted when the process begins to stop: requests that wait for messages then end. */
  stopping: AbortSignal;
}

/** The part of the context that is the same for every call. */
export type ClusterParts = Omit<ClusterCtx, "actor" | "request">;
