import { setMaxListeners } from "node:events";
import { existsSync } from "node:fs";
import path from "node:path";
import type { Logger } from "pino";
import type { AddressPolicy } from "../engines/address-policy";
import type { Network } from "../engines/guarded-fetch";
import type { Tasks } from "../engines/jobs/start-jobs";
import type { Engines } from "../engines/start-engines";
import { type RuntimeConfig, type StartedRuntime, startRuntime } from "../engines/start-runtime";
import { Workerd } from "../engines/workerd/workerd";
import type { EventKind } from "../identity/events/event-kind";
import type { AccountCtx } from "../identity/identity-ctx";
import { repeat } from "../kernel/repeat";
import { deriveKey } from "../kernel/secrets";
import type { StopStack } from "../kernel/stop-stack";
import type { PaymentMessage } from "./billing/receive-payment-event";
import { startBilling } from "./billing/start-billing";
import type { AtBillingStep } from "./billing/steps";
import type { StripeSettings } from "./billing/stripe-processor";
import { createCacheStages } from "./chat-cache/create-cache-stages";
import { forgetCached } from "./chat-cache/forget-cached";
import type { ChatLedger, ChatPayer } from "./chat-ledger/chat-ledger";
import type { PromptOffers } from "./chat-ledger/prompt-offers";
import { startChatLedger } from "./chat-ledger/start-chat-ledger";
import type { AtChatStep } from "./chat-ledger/steps";
import { createOfferStages } from "./chat-offers/create-offer-stages";
import { createOwnUpstreams } from "./chat-upstreams/own-upstreams";
import type { CloudParts } from "./cloud-ctx";
import { ClusterHost } from "./clusters/cluster-host";
import { EDGE_CRONTAB, edgeTasks, startEdge } from "./edge/start-edge";
import { endUnusedPods } from "./function-pods/end-unused-pods";
import { FUNCTIONS_CRONTAB, functionTasks, startFunctions } from "./functions/start-functions";
import { createGateway } from "./gateway/create-gateway";
import type { ChatGateway } from "./gateway/gateway";
import type { OperatorUpstream } from "./gateway/upstream";
import { GpuPools } from "./gpu-pools/gpu-pools";
import { GPU_POOLS_CRONTAB, gpuPoolTasks } from "./gpu-pools/sample-gpu-pools";
import { startFleetUpgrades } from "./gpu-pools/start-fleet-upgrades";
import { gpucFamilies } from "./gpuc/gpuc-families";
import { InferenceServing } from "./inference/inference-serving";
import { startInference } from "./inference/start-inference";
import { startConversions } from "./model-conversions/start-conversions";
import { PublicPorts } from "./networks/public-ports";
import { releaseCordons } from "./node-events/release-cordons";
import { type JoinNode, joinNode } from "./nodes/join-node";
import { runnerIdOf } from "./nodes/runner-id";
import { startObjects } from "./objects/create-objects";
import type { Objects } from "./objects/objects";
import { type StartedPods, startPods } from "./pods/start-pods";
import { createQueueEngine } from "./queue-log/create-queue-engine";
import type { QueueEngine } from "./queue-log/queue-engine";
import { QUEUE_HISTORY_CRONTAB, queueHistoryTasks, startQueueHistory } from "./queues/measure-queues";
import { startReservations } from "./reservations/start-reservations";
import { Families } from "./resources/family";
import { startResources } from "./resources/start-resources";
import type { AtResourceStep } from "./resources/steps";
import { SANDBOXES_CRONTAB, sandboxTasks, startSandboxes } from "./sandboxes/start-sandboxes";
import { SHIELD_CRONTAB, shieldTasks, startShield } from "./shield/start-shield";
import { STORAGE_CRONTAB, startStorage, storageTasks } from "./storage/start-storage";
import { startTelemetry } from "./telemetry/start-telemetry";
import { startDeliveries } from "./webhooks/start-deliveries";
import { type AtWebhookStep, noWebhookStep } from "./webhooks/steps";
import { sweepDeliveries } from "./webhooks/sweep-deliveries";
import { ATTEMPT_MS, WebhookSender } from "./webhooks/webhook-sender";
import { webhookUrlPolicy } from "./webhooks/webhook-url";
import { startWorkspaces } from "./workspaces/start-workspaces";
import { createWorkspaceHosts } from "./workspaces/workspace-hosts";

const CORDONS_EVERY_MS = 1000;
const FORGET_CACHED = "forget_cached_answers";
const END_UNUSED_PODS = "end_unused_function_pods";
const SWEEP_DELIVERIES = "sweep_webhook_deliveries";

const CRONTABS = [
  `27 * * * * ${SWEEP_DELIVERIES}`,
  QUEUE_HISTORY_CRONTAB,
  STORAGE_CRONTAB,
  GPU_POOLS_CRONTAB,
  FUNCTIONS_CRONTAB,
  EDGE_CRONTAB,
  SANDBOXES_CRONTAB,
  SHIELD_CRONTAB,
  `*/5 * * * * ${FORGET_CACHED}`,
  `* * * * * ${END_UNUSED_PODS}`,
];

export interface CloudConfig extends RuntimeConfig {
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

export interface StartCloud {
  engines: Pick<Engines, "db" | "sql" | "clickhouse" | "counters" | "secret" | "blobs">;
  account: Pick<AccountCtx, "mail" | "clock">;
  log: Logger;
  stops: StopStack;
  /** Every kind of event, of all products. */
  eventKinds: readonly EventKind[];
  /** The offers product, as far as prompts use it. */
  promptOffers: PromptOffers;
  /** How webhooks are delivered; by default over the public network. */
  webhookNetwork?: Network | undefined;
  /** The same for chat upstreams of tenants. */
  chatNetwork?: Network | undefined;
  /** The same for models that are converted. */
  modelNetwork?: Network | undefined;
  /** What functions and edge functions reach; by default the public network. */
  functionNetwork?: Network | undefined;
  /** What runs pods; by default what the configuration says. */
  runtime?: StartedRuntime | undefined;
  /** The compiled scan-worker.ts; by default the file next to the compiled server. */
  scanWorkerFile?: string | undefined;
  atWebhookStep?: AtWebhookStep | undefined;
  atChatStep?: AtChatStep | undefined;
  atBillingStep?: AtBillingStep | undefined;
  atResourceStep?: AtResourceStep | undefined;
  /** Where Stripe's API is; by default on the public network. */
  stripeEndpoint?: StripeSettings["endpoint"];
}

/** Starts the background work of this process's roles. Returns what the platform adds to the process. */
export async function startCloud(config: CloudConfig, parts: StartCloud) {
  const { engines, account, eventKinds, log, stops } = parts;
  const { db, sql, counters, secret, blobs } = engines;
  const { clock } = account;
  const [encryptionKey, urlPolicy] = [deriveKey(secret, "encryption"), webhookUrlPolicy(config)];
  const sender = createSender(config, parts, { encryptionKey, urlPolicy });
  if (config.roles.has("worker")) startWork(config, parts, sender);
  const { engine, history } = startQueues(parts);
  const { currency, roles } = config;
  const chat = openChatLedger(config, parts, encryptionKey);
  const keys = { secretsKey: deriveKey(secret, "secrets"), encryptionKey };
  const gateway = openGateway(config, parts, { policy: urlPolicy, ledger: chat.ledger, cloud: () => ctx, ...keys });
  const stopping = new AbortController();
  const { objects, ...background } = startObjects({ db, sql, clock, blobs, log }, stopping.signal);
  stops.push("objects", () => objects.stop());
  if (config.roles.has("worker")) startObjectWork(parts, objects);
  const storage = await startStorage({ db, clock, counters, secret, stops });
  // Every request that waits for messages listens.
  setMaxListeners(0, stopping.signal);
  const gpuPools = new GpuPools();
  const pods = openPods(config, parts, { policy: urlPolicy, gpuPools, ...keys });
  stops.push("pods", () => pods.stop());
  const billing = await openBilling(config, parts);
  const workers = startWorkers(config, parts, {
    ...{ podRuns: pods.runs, gpuPools, objects, queues: history.engine },
    ...keys,
  });
  const telemetry = await openTelemetry(config, parts);
  const families = new Families(gpucFamilies(() => ctx));
  const reconciling = { db, sql, clock, log, families, atStep: parts.atResourceStep };
  const ctx: CloudParts = {
    ...{ db, sql, counters, clock, publicUrl: config.publicUrl, ...keys, eventKinds, urlPolicy, sender },
    queues: history.engine,
    ...{ objects, ...storage },
    ...{ currency, promptOffers: parts.promptOffers },
    workspaceHosts: createWorkspaceHosts(config.publicUrl, config.workspacesDomain),
    ...{ gateway, podRuns: pods.runs, gpuPools, functions: workers.functions, edge: workers.edge },
    ...{ families, reconciling, publicPorts: config.publicPorts, ...telemetry, clusterHost: openClusterHost(config) },
    ...{ stopping: stopping.signal, cursorKey: deriveKey(secret, "cursor") },
  };
  if (roles.has("worker")) followResources(parts, ctx);
  return {
    ctx,
    tasks: {
      [SWEEP_DELIVERIES]: () => sweepDeliveries({ db, clock }),
      ...queueHistoryTasks({ db, sql, clock, engine }),
      ...storageTasks({ db, sql, clock, counters, objects, log }),
      ...gpuPoolTasks({ db, sql, clock }),
      ...sandboxTasks({ sql, clock }),
      ...shieldTasks({ sql, clock }),
      ...functionTasks({ sql, clock }),
      [END_UNUSED_PODS]: () => endUnusedPods(workers.podsCtx),
      ...edgeTasks({ sql, clock, databases: workers.edgeDatabases }),
      ...background.tasks,
      ...chat.tasks,
      ...billing.tasks,
      [FORGET_CACHED]: () => forgetCached({ sql, clock }),
    } satisfies Tasks,
    crontab: [...CRONTABS, background.crontab, chat.crontab, billing.crontab].join("\n"),
    /** Applies a message of the payment processor. */
    receivePaymentEvent: (message: PaymentMessage) => billing.receivePaymentEvent(message),
    /** Adds a machine that runs pods. */
    joinNode: (input: JoinNode) => joinNode({ db, clock, machinesKey: deriveKey(secret, "machines") }, input),
    /** A sentence on why functions cannot run here; undefined: they can. */
    functionsMissing: () => workers.missing(),
    /** What scrubbing found in this process. */
    scrubbed: background.scrubbed,
    /** Ends the requests that wait for messages. */
    endWaits: () => stopping.abort(),
  };
}

/** The background work on resources, which only workers do. */
function followResources({ log, stops }: StartCloud, ctx: CloudParts): void {
  stops.push("resources", startResources({ ...ctx.reconciling, log }).stop);
  stops.push("inference endpoints", startInference(() => ctx, log).stop);
  const ports = new PublicPorts({ ...ctx, log });
  stops.push("public ports", () => ports.stop());
}

/** What only workers do. */
function startWork(
  { currency, publicUrl }: CloudConfig,
  { engines, account, log, stops, atWebhookStep: atStep = noWebhookStep }: StartCloud,
  sender: WebhookSender,
): void {
  const { db, sql, counters } = engines;
  const { clock } = account;
  const deliveries = startDeliveries({ sql, clock, log, atStep, sender, counters });
  stops.push("webhook deliveries", () => deliveries.stop());
  const reservations = startReservations({ db, sql, clock, log, counters, currency, publicUrl });
  stops.push("reservations", () => reservations.stop());
  const sandboxes = startSandboxes({ db, sql, clock, log, counters, currency, publicUrl });
  stops.push("sandboxes", () => sandboxes.stop());
  const workspaces = startWorkspaces({ db, sql, clock, log, counters, currency, publicUrl });
  stops.push("workspaces", () => workspaces.stop());
  const upgrades = startFleetUpgrades({ db, clock, log });
  stops.push("fleet upgrades", () => upgrades.stop());
  const cordons = { everyMs: CORDONS_EVERY_MS, log, purpose: "end cordons of tenants" };
  stops.push("cordons of tenants", repeat(cordons, () => releaseCordons({ db, clock })).stop);
}

/** What runs the code of tenants in processes of workerd, and in pods. */
function startWorkers(
  config: CloudConfig,
  { engines: { db, sql, counters }, account: { clock }, log, stops, functionNetwork: network }: StartCloud,
  { objects, queues, ...runsPods }: WorkerParts,
) {
  const { rootDir, dataDir, publicUrl, currency, edgeDomain, roles } = config;
  const { secretsKey, encryptionKey } = runsPods;
  const workerd = new Workerd({ rootDir, dir: path.join(dataDir, "workers"), log, network });
  stops.push("workers", () => workerd.close());
  const shared = { db, sql, clock, log, workerd, rootDir };
  const podsCtx = { db, sql, clock, counters, currency, publicUrl, ...runsPods };
  const functions = startFunctions({ ...shared, counters, roles, podsCtx, secretsKey });
  stops.push("functions", () => functions.stop());
  const edge = startEdge({ ...shared, objects, queues, publicUrl, edgeDomain, secretsKey, encryptionKey });
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
}

function startQueues({ engines: { sql, counters }, account: { clock }, log, stops }: StartCloud) {
  const engine = createQueueEngine({ sql, clock, counters, log });
  stops.push("queues", () => engine.stop());
  const history = startQueueHistory(engine, { sql, clock, log });
  stops.push("history of queues", () => history.stop());
  return { engine, history };
}

/** What workers do with objects in the background. */
function startObjectWork(
  { engines, account: { clock }, log, stops, scanWorkerFile, modelNetwork: network }: StartCloud,
  objects: Objects,
): void {
  const { db, sql, secret } = engines;
  const scanFile = scanWorkerFile ?? path.join(import.meta.dirname, "scan-worker.mjs");
  const shieldKey = deriveKey(secret, "shield");
  const scans = startShield({ db, sql, clock, log, objects, workerFile: scanFile, shieldKey });
  stops.push("scans of buckets", () => scans.stop());
  const tensorFile = path.join(import.meta.dirname, "tensor-worker.mjs");
  // Without the built file this thread converts, which is slower.
  const workerFile = existsSync(tensorFile) ? tensorFile : undefined;
  const conversions = startConversions({ db, sql, clock, log, objects, network, workerFile });
  stops.push("conversions of models", () => conversions.stop());
}

function openChatLedger(
  { currency, roles, dataDir }: CloudConfig,
  { engines: { db, sql, counters }, account: { clock }, log, stops, atChatStep: atStep }: StartCloud,
  encryptionKey: Buffer,
) {
  const chat = startChatLedger({ db, sql, clock, log, counters, encryptionKey, currency, roles, dataDir, atStep });
  stops.push("chat ledger", () => chat.stop());
  return chat;
}

async function openTelemetry({ dataDir, member }: CloudConfig, { engines, log, stops }: StartCloud) {
  const { db, sql, clickhouse } = engines;
  return { clickhouse, telemetryLog: await startTelemetry({ dataDir, member, db, sql, clickhouse, log, stops }) };
}

function openBilling(
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

function openGateway(
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
  const gateway = createGateway({ clock, log, policy, network, ledger, operators, ownOf, stages });
  stops.push("chat gateway", () => gateway.close());
  return gateway;
}

function openPods(
  config: CloudConfig,
  { engines, account, log, runtime }: StartCloud,
  { policy, ...shared }: { policy: AddressPolicy; gpuPools: GpuPools; secretsKey: Buffer; encryptionKey: Buffer },
): StartedPods {
  const { currency, publicUrl, dataDir, rootDir, roles } = config;
  const { clock } = account;
  const { runtime: kind, engineSockets } = config;
  const isOff = kind === "off" && !runtime;
  const kubernetes = config.kubernetes && { ...config.kubernetes, runner: runnerIdOf(dataDir) };
  const settings = { rootDir, dataDir, policy, kubernetes, engineSockets, clock, log };
  const start = () => runtime ?? startRuntime({ ...settings, kind: kind === "off" ? undefined : kind });
  const started = isOff || !roles.has("worker") ? undefined : start();
  return startPods({
    ...{ db: engines.db, sql: engines.sql, counters: engines.counters, blobs: engines.blobs },
    ...{ clock, log, currency, publicUrl, dataDir, listen: config.runtimeAddress, ...shared },
    machinesKey: deriveKey(engines.secret, "machines"),
    drivesNodes: roles.has("worker"),
    ...{ runtime: started, ...(isOff && { offReason: "This installation runs no pods: RUNTIME is off." }) },
  });
}

/** Where RUNTIME names another runtime, clusters are not made in the Kubernetes of a developer's KUBECONFIG. */
const openClusterHost = ({ runtime, kubernetes }: CloudConfig): ClusterHost =>
  new ClusterHost(runtime === "auto" || runtime === "kubernetes" ? kubernetes?.access : undefined);

function createSender(
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
