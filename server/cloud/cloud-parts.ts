import type { Logger } from "pino";
import type { AddressPolicy } from "../engines/address-policy";
import type { Network } from "../engines/guarded-fetch";
import type { Mail } from "../engines/mail/mail";
import type { StartedAlarms } from "../engines/start-alarms";
import type { Engines } from "../engines/start-engines";
import type { RuntimeConfig, StartedRuntime } from "../engines/start-runtime";
import { PartList } from "../identity/part";
import type { Clock } from "../kernel/clock";
import type { EventKind } from "../operation/event-kind";
import { chatCachePart } from "./ai/cache/cache.part";
import { gatewayPart } from "./ai/gateway/gateway.part";
import type { OperatorUpstream } from "./ai/gateway/upstream";
import { inferencePart } from "./ai/inference/inference.part";
import { chatLedgerPart } from "./ai/ledger/ledger.part";
import type { PromptOffers } from "./ai/ledger/prompt-offers";
import type { AtChatStep } from "./ai/ledger/steps";
import { chatOffersPart } from "./ai/offers/offers.part";
import { chatUpstreamsPart } from "./ai/upstreams/upstreams.part";
import { clustersPart } from "./compute/clusters/clusters.part";
import { functionsPart } from "./compute/functions/functions.part";
import { instancesPart } from "./compute/instances/instances.part";
import { nodeEventsPart } from "./compute/node-events/node-events.part";
import { nodesPart } from "./compute/nodes/nodes.part";
import { podsPart } from "./compute/pods/pods.part";
import { gpuPoolsPart } from "./compute/pools/pools.part";
import { reservationsPart } from "./compute/reservations/reservations.part";
import { sandboxesPart } from "./compute/sandboxes/sandboxes.part";
import { volumeSnapshotsPart } from "./compute/volume-snapshots/volume-snapshots.part";
import { workersPart } from "./compute/workers/workers.part";
import { workspacesPart } from "./compute/workspaces/workspaces.part";
import { reconcilerPart } from "./core/reconciler/reconciler.part";
import type { AtResourceStep } from "./core/reconciler/steps";
import { resourcesPart } from "./core/resources/resources.part";
import { servedCopiesPart } from "./core/served-copies/served-copies.part";
import { storedBytesPart } from "./core/stored-bytes/stored-bytes.part";
import { bucketsPart } from "./data/buckets/buckets.part";
import { modelConversionsPart } from "./data/model-conversions/model-conversions.part";
import { objectsPart } from "./data/objects/objects.part";
import { queuesPart } from "./data/queues/queues.part";
import { secretsPart } from "./data/secrets/secrets.part";
import { volumesPart } from "./data/volumes/volumes.part";
import { edgeWorkersPart } from "./edge/workers/workers.part";
import type { AtWebhookStep } from "./events/webhooks/steps";
import { webhooksPart } from "./events/webhooks/webhooks.part";
import { familiesPart } from "./families/families.part";
import { billingPart } from "./money/billing/billing.part";
import type { StripeSettings } from "./money/billing/stripe-processor";
import { usagePart } from "./money/usage/usage.part";
import { ingestPart } from "./obs/ingest/ingest.part";
import { scansPart } from "./shield/scans/scans.part";

export interface CloudConfig extends RuntimeConfig {
  /** The secret before the one of this installation, under which data keys of objects may still be wrapped. */
  previousSecret: string | undefined;
  publicUrl: string;
  currency: string;
  /** The domain below which each workspace has a host; undefined: there is none. */
  workspacesDomain: string | undefined;
  /** The same for edge functions. */
  edgeDomain: string | undefined;
  /** Further names of svc in the `Host` header. */
  allowedHosts: readonly string[];
  port: number;
  roles: ReadonlySet<string>;
  /** PUBLIC_URL is a loopback address: webhooks may then use http on loopback addresses. */
  isLoopback: boolean;
  /** Those of the operators' file. */
  chatUpstreams: readonly OperatorUpstream[];
  dataDir: string;
  /** The folder that contains package.json. */
  rootDir: string;
  /** undefined: invoices are not passed to a payment processor. */
  stripe: Pick<StripeSettings, "secretKey" | "webhookSecret"> | undefined;
  /** This process among those that share the data directory. */
  member?: { slot: number; of: number } | undefined;
}

/** What tests replace. */
export interface CloudReplacements {
  /** How webhooks are delivered; by default over the public network. */
  webhookNetwork?: Network | undefined;
  /** The same for chat upstreams of tenants. */
  chatNetwork?: Network | undefined;
  /** What runs pods; by default what the configuration says. */
  runtime?: StartedRuntime | undefined;
  /** The compiled scan-worker.ts; by default the file next to the compiled server. */
  scanWorkerFile?: string | undefined;
  atWebhookStep?: AtWebhookStep | undefined;
  atChatStep?: AtChatStep | undefined;
  atResourceStep?: AtResourceStep | undefined;
}

/** What only the start of a part uses. */
interface CloudProcess
  extends Pick<Engines, "secret" | "blobs" | "space">,
    Pick<CloudConfig, "previousSecret">,
    CloudReplacements {
  mail: Mail;
  config: CloudConfig;
  alarms: Pick<StartedAlarms, "add" | "wake" | "announce">;
  log: Logger;
}

/** What the process gives to every part of the platform and to its operations. */
interface CloudBase
  extends Pick<Engines, "db" | "sql" | "clickhouse" | "counters">,
    Pick<CloudConfig, "publicUrl" | "currency" | "publicPorts"> {
  clock: Clock;
  /** Every kind of event, of all products. */
  eventKinds: readonly EventKind[];
  /** The offers product, as far as prompts use it. */
  promptOffers: PromptOffers;
  /** Seals secrets that are stored in rows. */
  encryptionKey: Buffer;
  /** The root of the master keys of secrets. */
  secretsKey: Buffer;
  /** Seals cursors of lists. */
  cursorKey: Buffer;
  /** Which URLs webhooks and chat upstreams may have. */
  urlPolicy: AddressPolicy;
  /** Aborted when the process begins to stop: requests that wait for messages then end. */
  stopping: AbortSignal;
}

/** The parts of the platform, in the order in which they start. */
export const cloudParts = new PartList<CloudProcess, CloudBase>()
  .with(storedBytesPart)
  .with(resourcesPart)
  .with(reconcilerPart)
  .with(servedCopiesPart)
  .with(secretsPart)
  .with(queuesPart)
  .with(objectsPart)
  .with(bucketsPart)
  .with(volumesPart)
  .with(modelConversionsPart)
  .with(gpuPoolsPart)
  .with(nodesPart)
  .with(podsPart)
  .with(nodeEventsPart)
  .with(reservationsPart)
  .with(sandboxesPart)
  .with(workspacesPart)
  .with(workersPart)
  .with(functionsPart)
  .with(clustersPart)
  .with(instancesPart)
  .with(volumeSnapshotsPart)
  .with(edgeWorkersPart)
  .with(chatLedgerPart)
  .with(chatUpstreamsPart)
  .with(chatOffersPart)
  .with(chatCachePart)
  .with(inferencePart)
  .with(gatewayPart)
  .with(ingestPart)
  .with(scansPart)
  .with(billingPart)
  .with(usagePart)
  .with(webhooksPart)
  .with(familiesPart);

/** What the process and the parts give to operations. */
export type CloudParts = Awaited<ReturnType<(typeof cloudParts)["start"]>>["ctx"];
