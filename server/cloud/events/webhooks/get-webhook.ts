import { z } from "zod";
import type { ActorCtx } from "../../../identity/identity-ctx";
import { IdText } from "../../../identity/wire-text";
import { operation } from "../../cloud-operation";
import { ownWebhook, toWebhook, Webhook } from "./webhook";
import { webhookExample } from "./webhook.example";

/** Returns a webhook without its secret. Throws `not_found`. */
export const getWebhook = operation({
  id: "getWebhook",
  summary: "Get a webhook",
  access: "webhooks:read",
  input: z.strictObject({ id: IdText }),
  output: Webhook,
  example: { input: { id: webhookExample.id }, output: webhookExample },
  run: async (ctx: ActorCtx, { id }) => toWebhook(await ownWebhook(ctx, id), ctx.clock.now()),
});
