import { z } from "zod";
import type { ActorCtx } from "../../../identity/identity-ctx";
import { IdText } from "../../../identity/wire-text";
import { operation } from "../../cloud-operation";
import { DeliveryWithAttempts } from "./delivery";
import { deliveryWithAttempts } from "./own-delivery";
import { ownWebhook } from "./webhook";
import { deliveryWithAttemptsExample as example } from "./webhook.example";

/** Returns a delivery with the body and the result of each attempt. Throws `not_found`. */
export const getWebhookDelivery = operation({
  id: "getWebhookDelivery",
  summary: "Get a delivery with its event and attempts",
  access: "webhooks:read",
  input: z.strictObject({ id: IdText, delivery_id: IdText }),
  output: DeliveryWithAttempts,
  example: { input: { id: example.webhook_id, delivery_id: example.id }, output: example },
  run: async (ctx: ActorCtx, input) => {
    const webhook = await ownWebhook(ctx, input.id);
    return deliveryWithAttempts(ctx.db, { webhookId: webhook.id, id: input.delivery_id });
  },
});
