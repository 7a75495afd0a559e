import { setMaxListeners } from "node:events";
import type { MinuteTasks, Tasks } from "../engines/jobs/start-jobs";
import { deriveKey } from "../kernel/secrets";
import { forgetCached } from "./ai/cache/forget-cached";
import type { CloudParts } from "./cloud-ctx";
import { endUnusedPods, HAS_FUNCTION_PODS } from "./compute/function-pods/end-unused-pods";
import { FUNCTIONS_EVERY_MINUTE, functionTasks } from "./compute/functions/start-functions";
import { type JoinNode, joinNode } from "./compute/nodes/join-node";
import { GpuPools } from "./compute/pools/pools";
import { GPU_POOLS_CRONTAB, gpuPoolTasks } from "./compute/pools/sample-gpu-pools";
import { SANDBOXES_CRONTAB, sandboxTasks } from "./compute/sandboxes/start-sandboxes";
import { createWorkspaceHosts } from "./compute/workspaces/workspace-hosts";
import { Families } from "./core/resources/family";
import { STORAGE_CRONTAB, STORAGE_EVERY_MINUTE, startStorage, storageTasks } from "./data/buckets/start-storage";
import { startObjects } from "./data/objects/create-objects";
import { QUEUE_HISTORY_CRONTAB, QUEUES_EVERY_MINUTE, queueHistoryTasks } from "./data/queues/measure-queues";
import { EDGE_EVERY_MINUTE, edgeTasks } from "./edge/workers/start-edge";
import { sweepDeliveries } from "./events/webhooks/sweep-deliveries";
import { webhookUrlPolicy } from "./events/webhooks/webhook-url";
import { gpucFamilies } from "./families/gpuc/gpuc-families";
import type { PaymentMessage } from "./money/billing/receive-payment-event";
import { SHIELD_CRONTAB, shieldTasks } from "./shield/scans/start-shield";
import type { CloudConfig, StartCloud } from "./start-cloud-options";
import {
  createSender,
  openBilling,
  openChatLedger,
  openClusterHost,
  openGateway,
  openPods,
  openStoredBytes,
  openTelemetry,
  startQueues,
  startWorkers,
} from "./start-cloud-parts";
import { followResources, startObjectWork, startWork } from "./start-cloud-work";

const FORGET_CACHED = "forget_cached_answers";
const END_UNUSED_PODS = "end_unused_function_pods";
const SWEEP_DELIVERIES = "sweep_webhook_deliveries";

const CRONTABS = [
  `27 * * * * ${SWEEP_DELIVERIES}`,
  QUEUE_HISTORY_CRONTAB,
  STORAGE_CRONTAB,
  GPU_POOLS_CRONTAB,
  SANDBOXES_CRONTAB,
  SHIELD_CRONTAB,
  `*/5 * * * * ${FORGET_CACHED}`,
];

const EVERY_MINUTE: MinuteTasks = {
  ...{ ...QUEUES_EVERY_MINUTE, ...STORAGE_EVERY_MINUTE, ...FUNCTIONS_EVERY_MINUTE, ...EDGE_EVERY_MINUTE },
  [END_UNUSED_PODS]: HAS_FUNCTION_PODS,
};

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
  const storedBytes = await openStoredBytes(config, parts);
  const { objects, ...background } = startObjects({ db, sql, clock, blobs, log, storedBytes }, stopping.signal);
  stops.push("objects", () => objects.stop());
  if (config.roles.has("worker")) startObjectWork(parts, objects);
  const storage = await startStorage({ db, clock, counters, secret, stops });
  // Every request that waits for messages listens.
  setMaxListeners(0, stopping.signal);
  const gpuPools = new GpuPools();
  const pods = openPods(config, parts, { policy: urlPolicy, gpuPools, storedBytes, ...keys });
  stops.push("pods", () => pods.stop());
  const billing = await openBilling(config, parts);
  const workers = startWorkers(config, parts, {
    ...{ podRuns: pods.runs, gpuPools, objects, storedBytes, queues: history.engine },
    ...keys,
  });
  const telemetry = await openTelemetry(config, parts);
  const families = new Families(gpucFamilies(() => ctx));
  const reconciling = { db, sql, clock, log, families, atStep: parts.atResourceStep };
  const ctx: CloudParts = {
    ...{ db, sql, counters, clock, publicUrl: config.publicUrl, ...keys, eventKinds, urlPolicy, sender },
    queues: history.engine,
    ...{ objects, storedBytes, ...storage, currency, promptOffers: parts.promptOffers },
    workspaceHosts: createWorkspaceHosts(config.publicUrl, config.workspacesDomain),
    ...{ gateway, podRuns: pods.runs, gpuPools, functions: workers.functions, edge: workers.edge },
    ...{ families, reconciling, publicPorts: config.publicPorts, ...telemetry, clusterHost: openClusterHost(config) },
    ...{ stopping: stopping.signal, cursorKey: deriveKey(secret, "cursor") },
  };
  if (roles.has("worker")) followResources(config, parts, ctx);
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
    everyMinute: { ...EVERY_MINUTE, ...billing.everyMinute },
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
