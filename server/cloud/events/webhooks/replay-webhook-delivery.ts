import { z } from "zod";
import { recordAudit } from "../../../identity/audit/record-audit";
import type { ActorCtx } from "../../../identity/identity-ctx";
import { IdText } from "../../../identity/wire-text";
import { operation } from "../../cloud-operation";
import { claimAgain } from "./claim-delivery";
import { DeliveryWithAttempts } from "./delivery";
import { deliveryWithAttempts } from "./own-delivery";
import { assertEnabled, ownWebhook, webhookTarget } from "./webhook";
import { deliveryWithAttemptsExample as example } from "./webhook.example";
import { lockWebhook } from "./webhook.sql";
import type { WebhookCtx } from "./webhook-ctx";

/**
 * Sends the event of a delivery again, with the same event id, and returns the delivery with the result; a failure is
 * retried like that of a new delivery. Throws `not_found`, and `conflict` while the webhook is disabled or an attempt is
 * under way.
 */
export const replayWebhookDelivery = operation({
  id: "replayWebhookDelivery",
  summary: "Send the event of a delivery again",
  access: "webhooks:write",
  input: z.strictObject({ id: IdText, delivery_id: IdText }),
  output: DeliveryWithAttempts,
  example: {
    input: { id: example.webhook_id, delivery_id: example.id },
    output: {
      ...example,
      attempt_count: 2,
      attempts: [...example.attempts, ...example.attempts.map((first) => ({ ...first, number: 2 }))],
    },
  },
  run: async (ctx: ActorCtx & Pick<WebhookCtx, "sender">, input) => {
    const { db, clock, actor, sender } = ctx;
    const webhookId = input.id;
    return sender.turn(actor.tenantId, async () => {
      const claim = await db.$transaction(async (tx) => {
        await lockWebhook(tx, webhookId);
        const webhook = await ownWebhook({ db: tx, actor }, webhookId);
        assertEnabled(webhook);
        await deliveryWithAttempts(tx, { webhookId, id: input.delivery_id });
        const taken = await claimAgain(tx, { id: input.delivery_id, now: clock.now() });
        const details = { delivery_id: input.delivery_id };
        await recordAudit(tx, ctx, { action: "webhook_delivery.replayed", targets: [webhookTarget(webhook)], details });
        return taken;
      });
      await sender.attempt(claim);
      return deliveryWithAttempts(db, { webhookId, id: claim.id });
    });
  },
});
