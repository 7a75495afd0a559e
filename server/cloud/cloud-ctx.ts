import type { ClickHouseClient } from "@clickhouse/client";
import type { Pool } from "pg";
import type { AddressPolicy } from "../engines/address-policy";
import type { Counters } from "../engines/counters/counters";
import type { PublicPortRange } from "../engines/start-runtime";
import type { EventKind } from "../identity/events/event-kind";
import type { ActorCtx } from "../identity/identity-ctx";
import type { PromptOffers } from "./chat-ledger/prompt-offers";
import type { ClusterHost } from "./clusters/cluster-host";
import type { EdgeRunner } from "./edge/edge-runner";
import type { FunctionRunner } from "./functions/function-runner";
import type { ChatGateway } from "./gateway/gateway";
import type { GpuPools } from "./gpu-pools/gpu-pools";
import type { Objects } from "./objects/objects";
import type { PodRuns } from "./pods/pod-runs";
import type { QueueEngine } from "./queue-log/queue-engine";
import type { Families } from "./resources/family";
import type { ReconcileCtx } from "./resources/resource-reconciler";
import type { BucketsByName } from "./storage/buckets-by-name";
import type { S3Credentials } from "./storage/s3-credentials";
import type { TenantRoom } from "./stored-bytes/stored-bytes";
import type { ExportReader } from "./telemetry/start-telemetry";
import type { TelemetryLog } from "./telemetry/telemetry-log";
import type { WebhookSender } from "./webhooks/webhook-sender";
import type { WorkspaceHosts } from "./workspaces/workspace-hosts";

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
