import type { ClickHouseClient } from "@clickhouse/client";
import type { Pool } from "pg";
import type { Counters } from "../../../engines/counters/counters";
import type { PublicPortRange } from "../../../engines/start-runtime";
import type { ActorCtx } from "../../../identity/identity-ctx";
import type { ChatGateway } from "../../ai/gateway/gateway";
import type { ClusterHost } from "../../compute/clusters/cluster-host";
import type { PodRuns } from "../../compute/pods/pod-runs";
import type { GpuPools } from "../../compute/pools/pools";
import type { Families } from "../../core/kinds/families";
import type { ReconcileCtx } from "../../core/reconciler/reconcile-ctx";
import type { WaitUntilStable } from "../../core/records/resource-ctx";
import type { TenantRoom } from "../../core/stored-bytes/stored-bytes";
import type { S3Credentials } from "../../data/buckets/s3-credentials";
import type { Objects } from "../../data/objects/objects";
import type { ExportReader } from "../../obs/ingest/start-telemetry";
import type { TelemetryLog } from "../../obs/ingest/telemetry-log";

export interface GpucCtx extends ActorCtx {
  /** The same Postgres as `db`, for SQL that Prisma cannot express. */
  sql: Pool;
  counters: Counters;
  /** Seals secrets that are stored in rows. */
  encryptionKey: Buffer;
  /** The root of the master keys of secrets. */
  secretsKey: Buffer;
  publicUrl: string;
  /** The objects of all buckets. */
  objects: Objects;
  /** How much tenants store, against their limits. */
  storedBytes: TenantRoom;
  /** Derives S3 credentials and finds their holders. */
  s3Credentials: S3Credentials;
  /** The machine of this process that runs pods. */
  podRuns: PodRuns;
  /** The ports that resources can have. */
  publicPorts: PublicPortRange;
  /** The pools of GPUs that pods are placed on. */
  gpuPools: GpuPools;
  /** The Kubernetes in which clusters are made. */
  clusterHost: ClusterHost;
  /** The currency of the installation, such as USD. */
  currency: string;
  /** The models of all upstreams. */
  gateway: ChatGateway;
  /** What makes resources real, by service. */
  families: Families;
  /** What takes the next steps of a resource. */
  reconciling: ReconcileCtx;
  waitUntilStable: WaitUntilStable;
  /** Where the records of telemetry stores are. */
  clickhouse: ClickHouseClient;
  /** Records of telemetry that wait for ClickHouse. */
  telemetryLog: TelemetryLog;
  exportReader: ExportReader;
  /** Aborted when the process begins to stop: requests that wait for messages then end. */
  stopping: AbortSignal;
}

/** The part of the context that is the same for every call. */
export type GpucParts = Omit<GpucCtx, "actor" | "request">;
