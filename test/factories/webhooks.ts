import { randomBytes } from "node:crypto";
import { pino } from "pino";
import { z } from "zod";
import type { PromptOffers } from "../../server/cloud/ai/ledger/prompt-offers";
import type { SecretCtx } from "../../server/cloud/data/secrets/secret-ctx";
import { createWebhook } from "../../server/cloud/events/webhooks/create-webhook";
import { DeliveryLoop } from "../../server/cloud/events/webhooks/delivery-loop";
import { noWebhookStep } from "../../server/cloud/events/webhooks/steps";
import { webhookEventKinds } from "../../server/cloud/events/webhooks/webhook.events";
import type { WebhookCtx } from "../../server/cloud/events/webhooks/webhook-ctx";
import { WebhookSender } from "../../server/cloud/events/webhooks/webhook-sender";
import { MemoryCounters } from "../../server/engines/counters/memory-counters";
import { createMail } from "../../server/engines/mail/mail";
import { recordEvent } from "../../server/identity/events/record-event";
import type { KeyCtx } from "../../server/identity/identity-ctx";
import { ManualClock } from "../../server/kernel/clock";
import { newId } from "../../server/kernel/ids";
import { type Actor, type Mode, SCOPES } from "../../server/operation/actor";
import { eventKind } from "../../server/operation/event-kind";
import type { Operation } from "../../server/operation/operation";
import { TEST_REQUEST } from "./app";
import { testDatabase } from "./postgres";
import { webhookReceiver } from "./webhook-receiver";

/** The platform without the offers product. */
export const NO_OFFERS: PromptOffers = {
  hasChannel: () => false,
  serve: async () => ({ offers: [], block: "" }),
  reportImpressions: async () => undefined,
};

/** A kind that only tests record. */
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
    await loop.idle();
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
  const base: Omit<WebhookCtx & SecretCtx & KeyCtx, "actor"> = {
    counters: new MemoryCounters(clock),
    db,
    sql,
    clock,
    encryptionKey,
    sender,
    urlPolicy: policy,
    request: TEST_REQUEST,
    cursorKey: randomBytes(32),
    secretsKey: randomBytes(32),
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
    const ctx: WebhookCtx & SecretCtx = { ...base, actor: person };
    return {
      ctx,
      tenantId,
      projectId,
      email,
      key: (mode: Mode): WebhookCtx & SecretCtx => ({ ...base, actor: keyOf(mode) }),
      webhook: (host: string, fields: object = {}) =>
        call(ctx, createWebhook, {
          name: host,
          url: `https://${host}/hook`,
          events: ["order.*"],
          mode: "live",
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
  };
  return { db, sql, clock, receiver, sender, loop, createLoop, round, deliver, tenant, logged, base, close };
}

/** Runs an operation with input as it is sent. */
export const call = <Ctx, I extends z.ZodObject, O extends z.ZodType>(
  ctx: Ctx,
  operation: Operation<Ctx, I, O>,
  input: z.input<I>,
): Promise<z.output<O>> => operation.run(ctx, operation.input.parse(input)) as Promise<z.output<O>>;
