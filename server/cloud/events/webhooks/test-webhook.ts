import { z } from "zod";
import type { Prisma } from "../../../engines/postgres/generated/client";
import { recordAudit } from "../../../identity/audit/record-audit";
import { recordEvent } from "../../../identity/events/record-event";
import type { ActorCtx } from "../../../identity/identity-ctx";
import { IdText } from "../../../identity/wire-text";
import { newId } from "../../../kernel/ids";
import type { EventKind } from "../../../operation/event-kind";
import { operation } from "../../cloud-operation";
import { claimNew } from "./claim-delivery";
import { DeliveryWithAttempts } from "./delivery";
import { deliveryWithAttempts } from "./own-delivery";
import { includesKind, kindOf } from "./subscription";
import { assertEnabled, ownWebhook, webhookTarget } from "./webhook";
import { deliveryWithAttemptsExample as example } from "./webhook.example";
import { lockWebhook } from "./webhook.sql";
import type { WebhookCtx } from "./webhook-ctx";

/**
 * Sends the example of a kind of event to one webhook, as an event of its own, and returns the delivery with the result.
 * A failure is not retried. Throws `not_found`, `conflict` for a disabled webhook and `invalid_request` for an unknown
 * kind.
 */
export const testWebhook = operation({
  id: "testWebhook",
  summary: "Send a test event to a webhook and return the result",
  access: "webhooks:write",
  input: z.strictObject({
    id: IdText,
    type: IdText.optional().describe(
      "The kind of event to send; default: the first one that the webhook subscribes to",
    ),
  }),
  output: DeliveryWithAttempts,
  example: {
    input: { id: example.webhook_id, type: example.event_type },
    output: { ...example, retries_left: 0 },
  },
  run: async (ctx: ActorCtx & Pick<WebhookCtx, "eventKinds" | "sender">, input) => {
    const { db, actor, clock, sender, eventKinds } = ctx;
    const asked = input.type === undefined ? undefined : kindOf(eventKinds, input.type);
    return sender.turn(actor.tenantId, async () => {
      const claim = await db.$transaction(async (tx) => {
        await lockWebhook(tx, input.id);
        const webhook = await ownWebhook({ db: tx, actor }, input.id);
        assertEnabled(webhook);
        const kind = asked ?? subscribedKind(eventKinds, webhook.events);
        const created = await createTest(tx, { webhook, kind, now: clock.now() });
        const change = { action: "webhook.tested", targets: [webhookTarget(webhook)], details: { type: kind.type } };
        await recordAudit(tx, ctx, change);
        return created;
      });
      await sender.attempt(claim);
      return deliveryWithAttempts(db, { webhookId: claim.webhookId, id: claim.id });
    });
  },
});

interface Test {
  webhook: { id: string; tenantId: string; projectId: string; mode: "test" | "live" };
  kind: EventKind;
  now: Date;
}

/** Records an event that counts as dispatched, so that no other webhook receives it. */
async function createTest(tx: Prisma.TransactionClient, { webhook, kind, now }: Test) {
  const { id: webhookId, tenantId, projectId, mode } = webhook;
  const event = { kind, data: kind.example };
  const eventId = await recordEvent(tx, { tenantId, projectId, mode, at: now }, event);
  await tx.event.update({ where: { id: eventId }, data: { dispatchedAt: now } });
  const id = newId("dlv", now.getTime());
  await tx.webhookDelivery.create({
    data: { id, webhookId, eventId, eventType: kind.type, retriesLeft: 0, nextAttemptAt: now, createdAt: now },
  });
  return claimNew(tx, { id, now });
}

function subscribedKind(kinds: readonly EventKind[], patterns: readonly string[]): EventKind {
  const kind = kinds.find(({ type }) => patterns.some((pattern) => includesKind(pattern, type))) ?? kinds[0];
  if (!kind) throw new Error("There are no kinds of events.");
  return kind;
}
