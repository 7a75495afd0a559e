import { z } from "zod";
import { IdText } from "../../../identity/wire-text";
import { operation } from "../../cloud-operation";
import { ownWebhook, toWebhook, Webhook } from "./webhook";
import { webhookExample } from "./webhook.example";
import type { WebhookCtx } from "./webhook-ctx";

/** Returns a webhook without its secret. Throws `not_found`. */
export const getWebhook = operation({
  id: "getWebhook",
  summary: "Get a webhook",
  access: "webhooks:read",
  input: z.strictObject({ id: IdText }),
  output: Webhook,
  example: { input: { id: webhookExample.id }, output: webhookExample },
  run: async (ctx: WebhookCtx, { id }) => toWebhook(await ownWebhook(ctx, id), ctx.clock.now()),
});
