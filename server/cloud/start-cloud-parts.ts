import path from "node:path";
import type { AddressPolicy } from "../engines/address-policy";
import { startRuntime } from "../engines/start-runtime";
import { Workerd } from "../engines/workerd/workerd";
import { deriveKey, deriveSubkey } from "../kernel/secrets";
import { createCacheStages } from "./ai/cache/create-cache-stages";
import { createGateway } from "./ai/gateway/create-gateway";
import type { ChatGateway } from "./ai/gateway/gateway";
import { InferenceServing } from "./ai/inference/inference-serving";
import type { ChatLedger, ChatPayer } from "./ai/ledger/chat-ledger";
import { startChatLedger } from "./ai/ledger/start-chat-ledger";
import { createOfferStages } from "./ai/offers/create-offer-stages";
import { createOwnUpstreams } from "./ai/upstreams/own-upstreams";
import type { CloudParts } from "./cloud-ctx";
import { ClusterHost } from "./compute/clusters/cluster-host";
import { startFunctions } from "./compute/functions/start-functions";
import { runnerIdOf } from "./compute/nodes/runner-id";
import { type StartedPods, startPods } from "./compute/pods/start-pods";
import { startMeasuring } from "./core/stored-bytes/measure-stored-bytes";
import { StoredBytes, type TenantRoom } from "./core/stored-bytes/stored-bytes";
import type { Objects } from "./data/objects/objects";
import { createQueueEngine } from "./data/queue-log/create-queue-engine";
import type { QueueEngine } from "./data/queue-log/queue-engine";
import { startQueueHistory } from "./data/queues/measure-queues";
import { startEdge } from "./edge/workers/start-edge";
import { noWebhookStep } from "./events/webhooks/steps";
import { ATTEMPT_MS, WebhookSender } from "./events/webhooks/webhook-sender";
import { startBilling } from "./money/billing/start-billing";
import { openExportReader, startTelemetry } from "./obs/ingest/start-telemetry";
import type { CloudConfig, StartCloud } from "./start-cloud-options";

/** What runs the code of tenants in processes of workerd, and in pods. */
export function startWorkers(
  config: CloudConfig,
  {
    engines: { db, sql, counters, space },
    account: { clock },
    alarms,
    log,
    stops,
    functionNetwork: network,
  }: StartCloud,
  { objects, queues, storedBytes, ...runsPods }: WorkerParts,
) {
  const { rootDir, dataDir, publicUrl, currency, edgeDomain, roles, member } = config;
  const { secretsKey, encryptionKey } = runsPods;
  const dir = path.join(dataDir, "workers");
  const workerd = new Workerd({ rootDir, dir, log, network, svcProcesses: member?.of });
  stops.push("workers", () => workerd.close());
  const shared = { db, sql, clock, log, workerd, rootDir, space };
  const podsCtx = { db, sql, clock, counters, currency, publicUrl, ...runsPods };
  const functions = startFunctions({ ...shared, alarms, counters, roles, podsCtx, secretsKey });
  stops.push("functions", () => functions.stop());
  const edge = startEdge({ ...shared, objects, queues, storedBytes, publicUrl, edgeDomain, secretsKey, encryptionKey });
  stops.push("edge functions", () => edge.stop());
  return {
    functions: functions.runs,
    edge: edge.runs,
    edgeDatabases: edge.databases,
    podsCtx,
    missing: () => workerd.missing(),
  };
}

interface WorkerParts extends Pick<CloudParts, "podRuns" | "gpuPools" | "secretsKey" | "encryptionKey"> {
  objects: Objects;
  queues: QueueEngine;
  storedBytes: TenantRoom;
}

export function startQueues({ engines: { sql, counters, space }, account: { clock }, log, stops }: StartCloud) {
  const engine = createQueueEngine({ sql, clock, counters, log, space });
  stops.push("queues", () => engine.stop());
  const history = startQueueHistory(engine, { sql, clock, log });
  stops.push("history of queues", () => history.stop());
  return { engine, history };
}

/** Counts what tenants store, and measures it in workers. */
export async function openStoredBytes(
  { roles }: CloudConfig,
  { engines: { sql, clickhouse, counters }, account: { clock }, alarms, stops }: StartCloud,
): Promise<StoredBytes> {
  const { storedBytes, stop } = await StoredBytes.start({ sql, clock, counters, alarms });
  stops.push("stored bytes", stop);
  if (roles.has("worker"))
    stops.push("measurement of stored bytes", startMeasuring({ sql, clickhouse, clock }, alarms).stop);
  return storedBytes;
}

export function openChatLedger(
  { currency, roles, dataDir }: CloudConfig,
  { engines: { db, sql, counters }, account: { clock }, alarms, log, stops, atChatStep: atStep }: StartCloud,
  encryptionKey: Buffer,
) {
  const chat = startChatLedger({
    ...{ db, sql, clock, log, alarms, counters, encryptionKey, currency, roles, dataDir, atStep },
  });
  stops.push("chat ledger", () => chat.stop());
  return chat;
}

export async function openTelemetry({ dataDir, member }: CloudConfig, { engines, log, stops }: StartCloud) {
  const { db, sql, clickhouse, space } = engines;
  const telemetryLog = await startTelemetry({ dataDir, member, db, sql, clickhouse, space, log, stops });
  return { clickhouse, telemetryLog, exportReader: openExportReader(stops) };
}

export function openBilling(
  { currency, publicUrl, stripe }: CloudConfig,
  { engines, account, log, atBillingStep: atStep, stripeEndpoint: endpoint }: StartCloud,
) {
  const { db, sql } = engines;
  const { clock, mail } = account;
  return startBilling({
    ...{ db, sql, clock, currency, mail, publicUrl, log, atStep },
    stripe: stripe && { ...stripe, endpoint },
  });
}

interface OpenGateway {
  policy: AddressPolicy;
  ledger: ChatLedger;
  cloud: () => CloudParts;
  secretsKey: Buffer;
  encryptionKey: Buffer;
}

export function openGateway(
  { chatUpstreams: operators }: CloudConfig,
  { engines, account, log, stops, chatNetwork: network, promptOffers }: StartCloud,
  { policy, ledger, cloud, secretsKey, encryptionKey }: OpenGateway,
): ChatGateway {
  const { clock } = account;
  const { db, sql, counters } = engines;
  const own = createOwnUpstreams({ db, sql, secretsKey, clock, counters });
  stops.push("chat upstreams", () => own.close());
  const inference = new InferenceServing(cloud);
  stops.push("inference", () => inference.close());
  const ownOf = async (payer: ChatPayer) => (await Promise.all([own.of(payer), inference.upstreamsOf(payer)])).flat();
  const [offers, cache] = [
    createOfferStages({ promptOffers, log }),
    createCacheStages({ sql, clock, log, encryptionKey }),
  ];
  const stages = {
    prompts: [offers.prompt, cache.prompt],
    answers: [offers.answer, cache.answer],
    replies: [offers.reply],
  };
  const pseudonymKey = deriveSubkey(encryptionKey, "chat pseudonyms");
  const gateway = createGateway({ clock, log, policy, network, ledger, operators, ownOf, pseudonymKey, stages });
  stops.push("chat gateway", () => gateway.close());
  return gateway;
}

interface OpenPods extends Pick<CloudParts, "gpuPools" | "secretsKey" | "encryptionKey" | "storedBytes"> {
  policy: AddressPolicy;
}

export function openPods(
  config: CloudConfig,
  { engines, account, alarms, log, runtime }: StartCloud,
  { policy, ...shared }: OpenPods,
): StartedPods {
  const { currency, publicUrl, dataDir, rootDir, roles } = config;
  const { clock } = account;
  const { runtime: kind, engineSockets } = config;
  const isOff = kind === "off" && !runtime;
  const kubernetes = config.kubernetes && { ...config.kubernetes, runner: runnerIdOf(dataDir) };
  const { space } = engines;
  const settings = { rootDir, dataDir, policy, kubernetes, engineSockets, clock, log, space };
  const start = () => runtime ?? startRuntime({ ...settings, kind: kind === "off" ? undefined : kind });
  const started = isOff || !roles.has("worker") ? undefined : start();
  void started?.choice().then(({ runtime: chosen }) => chosen?.disks && space.follow(chosen.disks));
  return startPods({
    ...{ db: engines.db, sql: engines.sql, blobs: engines.blobs, space, alarms },
    ...{ clock, log, currency, publicUrl, dataDir, listen: config.runtimeAddress, ...shared },
    machinesKey: deriveKey(engines.secret, "machines"),
    // Others reach svc then, and may have signed up.
    isForAdmitted: !config.isLoopback,
    drivesNodes: roles.has("worker"),
    ...{ runtime: started, ...(isOff && { offReason: "This installation runs no pods: RUNTIME is off." }) },
  });
}

/** Where RUNTIME names another runtime, clusters are not made in the Kubernetes of a developer's KUBECONFIG. */
export const openClusterHost = ({ runtime, kubernetes }: CloudConfig): ClusterHost =>
  new ClusterHost(runtime === "auto" || runtime === "kubernetes" ? kubernetes?.access : undefined);

export function createSender(
  { publicUrl }: CloudConfig,
  { engines, account, log, stops, webhookNetwork: network, atWebhookStep: atStep = noWebhookStep }: StartCloud,
  { encryptionKey, urlPolicy: policy }: { encryptionKey: Buffer; urlPolicy: AddressPolicy },
): WebhookSender {
  const { db, sql } = engines;
  const { clock, mail } = account;
  const limits = { attemptMs: ATTEMPT_MS, random: Math.random };
  const sender = new WebhookSender({
    ...{ db, sql, clock, mail, publicUrl, encryptionKey, network, policy, log, atStep },
    ...limits,
  });
  stops.push("webhook results", () => sender.close());
  return sender;
}
