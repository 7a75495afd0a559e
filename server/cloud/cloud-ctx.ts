import type { ClickHouseClient } from "@clickhouse/client";
import type { Pool } from "pg";
import type { AddressPolicy } from "../engines/address-policy";
import type { Counters } from "../engines/counters/counters";
import type { PublicPortRange } from "../engines/start-runtime";
import type { EventKind } from "../identity/events/event-kind";
import type { ActorCtx } from "../identity/identity-ctx";
import type { ChatGateway } from "./ai/gateway/gateway";
import type { PromptOffers } from "./ai/ledger/prompt-offers";
import type { ClusterHost } from "./compute/clusters/cluster-host";
import type { FunctionRunner } from "./compute/functions/function-runner";
import type { PodRuns } from "./compute/pods/pod-runs";
import type { GpuPools } from "./compute/pools/pools";
import type { WorkspaceHosts } from "./compute/workspaces/workspace-hosts";
import type { Families } from "./core/resources/family";
import type { ReconcileCtx } from "./core/resources/resource-reconciler";
import type { TenantRoom } from "./core/stored-bytes/stored-bytes";
import type { BucketsByName } from "./data/buckets/buckets-by-name";
import type { S3Credentials } from "./data/buckets/s3-credentials";
import type { Objects } from "./data/objects/objects";
import type { QueueEngine } from "./data/queue-log/queue-engine";
import type { EdgeRunner } from "./edge/workers/edge-runner";
import type { WebhookSender } from "./events/webhooks/webhook-sender";
import type { ExportReader } from "./obs/ingest/start-telemetry";
import type { TelemetryLog } from "./obs/ingest/telemetry-log";

/** The context of the operations of the platform, which the dashboard calls too. */
export interface CloudCtx extends ActorCtx {
  /** The same Postgres as `db`, for SQL that Prisma cannot express. */
  sql: Pool;
  counters: Counters;
  /** Seals the secrets of webhooks. */
  encryptionKey: Buffer;
  /** The root of the master keys of secrets. */
  secretsKey: Buffer;
  publicUrl: string;
  /** Every kind of event, of all products. */
  eventKinds: readonly EventKind[];
  /** Which URLs webhooks may have. */
  urlPolicy: AddressPolicy;
  /** Makes the attempts that a call waits for. */
  sender: Pick<WebhookSender, "turn" | "attempt">;
  /** Where messages are stored and leased. */
  queues: QueueEngine;
  /** The objects of all buckets. */
  objects: Objects;
  /** How much tenants store, against their limits. */
  storedBytes: TenantRoom;
  /** Derives S3 credentials and finds their holders. */
  s3Credentials: S3Credentials;
  /** The settings of buckets, cached for the S3 endpoint. */
  bucketsByName: BucketsByName;
  /** The machine of this process that runs pods. */
  podRuns: PodRuns;
  /** The ports that resources can have. */
  publicPorts: PublicPortRange;
  /** The origins of workspaces; undefined: they have none, and their editor is that of the dashboard. */
  workspaceHosts: WorkspaceHosts | undefined;
  /** The pools of GPUs that pods are placed on. */
  gpuPools: GpuPools;
  /** The Kubernetes in which clusters are made. */
  clusterHost: ClusterHost;
  /** Runs functions in this process. */
  functions: FunctionRunner;
  /** Runs edge functions in this process. */
  edge: EdgeRunner;
  /** The currency of the installation, such as USD. */
  currency: string;
  /** The offers product, as far as prompts use it. */
  promptOffers: PromptOffers;
  /** The models of all upstreams. */
  gateway: ChatGateway;
  /** What makes resources real, by service. */
  families: Families;
  /** What takes the next steps of a resource. */
  reconciling: ReconcileCtx;
  /** Where the records of telemetry stores are. */
  clickhouse: ClickHouseClient;
  /** Records of telemetry that wait for ClickHouse. */
  telemetryLog: TelemetryLog;
  exportReader: ExportReader;
  /** Aborted when the process begins to stop: requests that wait for messages then end. */
  stopping: AbortSignal;
}

/** The part of the context that is the same for every call. */
export type CloudParts = Omit<CloudCtx, "actor" | "request">;
