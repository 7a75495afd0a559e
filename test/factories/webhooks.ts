import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { createClient } from "@clickhouse/client";
import { pino } from "pino";
import { z } from "zod";
import { createGateway } from "../../server/cloud/ai/gateway/create-gateway";
import type { PromptOffers } from "../../server/cloud/ai/ledger/prompt-offers";
import type { CloudCtx } from "../../server/cloud/cloud-ctx";
import { ClusterHost } from "../../server/cloud/compute/clusters/cluster-host";
import { FunctionRuns } from "../../server/cloud/compute/functions/function-runs";
import { startPods } from "../../server/cloud/compute/pods/start-pods";
import { GpuPools } from "../../server/cloud/compute/pools/pools";
import { Families } from "../../server/cloud/core/resources/family";
import { startStorage } from "../../server/cloud/data/buckets/start-storage";
import { createObjects } from "../../server/cloud/data/objects/create-objects";
import { createQueueEngine } from "../../server/cloud/data/queue-log/create-queue-engine";
import { EdgeHosts } from "../../server/cloud/edge/workers/edge-hosts";
import { EdgeRuns } from "../../server/cloud/edge/workers/edge-runs";
import { createWebhook } from "../../server/cloud/events/webhooks/create-webhook";
import { DeliveryLoop } from "../../server/cloud/events/webhooks/delivery-loop";
import { noWebhookStep } from "../../server/cloud/events/webhooks/steps";
import { webhookEventKinds } from "../../server/cloud/events/webhooks/webhook.events";
import { WebhookSender } from "../../server/cloud/events/webhooks/webhook-sender";
import { parseExport } from "../../server/cloud/obs/ingest/parse-export";
import { TelemetryLog } from "../../server/cloud/obs/ingest/telemetry-log";
import { MemoryCounters } from "../../server/engines/counters/memory-counters";
import { createMail } from "../../server/engines/mail/mail";
import { openBlobStore } from "../../server/engines/objects/open-blob-store";
import { eventKind } from "../../server/identity/events/event-kind";
import { recordEvent } from "../../server/identity/events/record-event";
import { ManualClock } from "../../server/kernel/clock";
import { newId } from "../../server/kernel/ids";
import { StopStack } from "../../server/kernel/stop-stack";
import { type Actor, type Mode, SCOPES } from "../../server/operation/actor";
import type { Operation } from "../../server/operation/operation";
import { TEST_REQUEST } from "./app";
import { recordingLedger } from "./chat-scene";
import { testDatabase } from "./postgres";
import { webhookReceiver } from "./webhook-receiver";

/** A kind that only tests record. */
/** The platform without the offers product. */
const NO_DATABASES = { ensure: async () => undefined, run: async () => [] };
const NO_LIMIT = { assertRoom: async () => undefined, take: async () => undefined, count: () => undefined };
const NO_ALARMS = {
  add: () => {
    throw new Error("no background work in this test");
  },
  wake: () => undefined,
};
const NO_WORKERS = { call: () => Promise.reject(new Error("Webhooks run no functions.")) };

export const NO_OFFERS: PromptOffers = {
  hasChannel: () => false,
  serve: async () => ({ offers: [], block: "" }),
  reportImpressions: async () => undefined,
};

export const orderPaid = eventKind({
  type: "order.paid",
  description: "An order was paid.",
  data: z.object({ order_id: z.string(), total: z.number() }),
  example: { order_id: "example", total: 1 },
});

export interface WebhookTestOptions {
  attemptMs?: number;
  random?: () => number;
}

type Scene = Awaited<ReturnType<typeof webhookTest>>;
export type WebhookTenant = Awaited<ReturnType<Scene["tenant"]>>;

/** Webhooks on a database of their own, with a stopped clock, receivers, and rounds that a test runs one by one. */
export async function webhookTest({ attemptMs = 5000, random = () => 0.5 }: WebhookTestOptions = {}) {
  const [database, receiver] = [await testDatabase(), await webhookReceiver()];
  const { db, sql } = database;
  // The verifying libraries compare with the system's time.
  const clock = new ManualClock(new Date());
  const publicUrl = "https://svc.example";
  const policy = { allowsLoopback: false, ownHosts: ["svc.example"] };
  const encryptionKey = randomBytes(32);
  const logged: string[] = [];
  const log = pino({ level: "trace" }, { write: (line: string) => void logged.push(line) });
  const mail = createMail({ db, clock, from: "svc <no-reply@svc.example>", smtpUrl: undefined, isLoopback: true });
  const shared = { db, sql, clock, log, atStep: noWebhookStep, publicUrl, mail, encryptionKey };
  const createSender = () => new WebhookSender({ ...shared, network: receiver.network, policy, random, attemptMs });
  const sender = createSender();
  const createLoop = () => new DeliveryLoop({ ...shared, sender: createSender(), onRoom: () => undefined });
  const loop = createLoop();
  const round = async () => {
    await loop.round();
    await loop.settled();
  };
  /** Dispatches and attempts until nothing is due. */
  const deliver = async () => {
    for (;;) {
      await round();
      const { rowCount } = await sql.query(
        `SELECT 1 FROM events WHERE dispatched_at IS NULL
         UNION ALL SELECT 1 FROM webhook_deliveries WHERE status = 'pending' AND next_attempt_at <= $1 LIMIT 1`,
        [clock.now()],
      );
      if (rowCount === 0) return;
    }
  };
  const counters = new MemoryCounters(clock);
  const gpuPools = new GpuPools();
  const dataDir = await mkdtemp(path.join(os.tmpdir(), "svc-webhooks-"));
  const blobs = await openBlobStore({ dataDir });
  const families = new Families([]);
  const base: Omit<CloudCtx, "actor"> = {
    publicPorts: { host: "127.0.0.1", first: 22_000, last: 22_999 },
    ...{ families, reconciling: { db, sql, clock, log, families }, clusterHost: new ClusterHost(undefined) },
    ...{ db, sql, clock, publicUrl, encryptionKey, sender, urlPolicy: policy, request: TEST_REQUEST },
    ...{ counters, cursorKey: randomBytes(32), secretsKey: randomBytes(32), stopping: new AbortController().signal },
    // No operation of webhooks uses them.
    ...{ clickhouse: createClient(), telemetryLog: new TelemetryLog({ append: async () => undefined }) },
    exportReader: { parse: async (request) => parseExport(request) },
    storedBytes: NO_LIMIT,
    queues: createQueueEngine({ sql, clock, counters, log }),
    edge: new EdgeRuns({
      ...{ workerd: NO_WORKERS, db, sql, clock, log, rootDir: "", logs: { add: () => undefined } },
      databases: NO_DATABASES,
      secretsKey: randomBytes(32),
      ...{
        objects: createObjects({ db, sql, clock, log, blobs }),
        queues: createQueueEngine({ sql, clock, counters, log }),
        storedBytes: NO_LIMIT,
      },
      hosts: new EdgeHosts({ publicUrl: "https://svc.example", edgeDomain: "edge.svc.example" }),
    }),
    functions: new FunctionRuns({
      workerd: NO_WORKERS,
      pods: NO_WORKERS,
      sql,
      counters,
      secretsKey: randomBytes(32),
      rootDir: "",
    }),
    podRuns: startPods({
      ...{
        db,
        sql,
        clock,
        log,
        alarms: NO_ALARMS,
        currency: "USD",
        publicUrl: "https://svc.example",
        dataDir,
        space: { isLow: false, assertRoom: () => undefined },
        runtime: undefined,
      },
      ...{ secretsKey: randomBytes(32), machinesKey: randomBytes(32), encryptionKey, gpuPools, blobs },
      storedBytes: NO_LIMIT,
      ...{ listen: { host: "127.0.0.1", port: 0 }, drivesNodes: false },
    }).runs,
    gpuPools,
    workspaceHosts: undefined,
    objects: createObjects({ db, sql, clock, log, blobs }),
    ...(await startStorage({ db, clock, counters, secret: "secret of a test", stops: new StopStack() })),
    currency: "USD",
    publicUrl: "https://svc.example",
    promptOffers: NO_OFFERS,
    gateway: createGateway({
      ...{ clock, log, policy, ledger: recordingLedger(), operators: [], ownOf: () => [] },
      pseudonymKey: Buffer.alloc(32),
    }),
    eventKinds: [...webhookEventKinds, orderPaid],
  };
  const tenant = async () => {
    const at = { createdAt: clock.now() };
    const id = (prefix: string) => newId(prefix, clock.now().getTime());
    const [tenantId, userId, projectId] = [id("ten"), id("usr"), id("prj")];
    const email = `${userId}@example.com`;
    await db.tenant.create({ data: { id: tenantId, name: "Tenant", ...at } });
    await db.user.create({ data: { id: userId, email, passwordHash: "", ...at } });
    await db.membership.create({ data: { tenantId, userId, role: "owner", ...at } });
    await db.project.create({ data: { id: projectId, tenantId, name: "main", ...at } });
    const scopes = new Set(SCOPES);
    const person: Actor = { kind: "person", tenantId, userId, sessionId: "s", role: "owner", scopes };
    const keyOf = (mode: Mode): Actor => ({ kind: "key", keyId: id("key"), tenantId, projectId, mode, scopes });
    const ctx: CloudCtx = { ...base, actor: person };
    return {
      ...{ ctx, tenantId, projectId, email },
      key: (mode: Mode): CloudCtx => ({ ...base, actor: keyOf(mode) }),
      webhook: (host: string, fields: object = {}) =>
        call(ctx, createWebhook, {
          ...{ name: host, url: `https://${host}/hook`, events: ["order.*"], mode: "live" },
          ...fields,
        }),
      /** Records an event in a transaction of its own; returns its id. */
      record: (order: string, { mode = "live" as Mode, inProject = projectId as string | undefined } = {}) =>
        db.$transaction((tx) =>
          recordEvent(
            tx,
            { tenantId, projectId: inProject, mode, at: clock.now() },
            { kind: orderPaid, data: { order_id: order, total: 12.5 } },
          ),
        ),
    };
  };
  const close = async () => {
    await receiver.close();
    await database.close();
    await rm(dataDir, { recursive: true, force: true });
  };
  return { db, sql, clock, receiver, sender, loop, createLoop, round, deliver, tenant, logged, base, close };
}

/** Runs an operation with input as it is sent. */
export const call = <I extends z.ZodObject, O extends z.ZodType>(
  ctx: CloudCtx,
  operation: Operation<CloudCtx, I, O>,
  input: z.input<I>,
): Promise<z.output<O>> => operation.run(ctx, operation.input.parse(input)) as Promise<z.output<O>>;
