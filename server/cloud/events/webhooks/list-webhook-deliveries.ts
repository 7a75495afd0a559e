import { z } from "zod";
import type { ActorCtx } from "../../../identity/identity-ctx";
import { listScope } from "../../../identity/list-scope";
import { IdText, Moment } from "../../../identity/wire-text";
import { fetchPage, PageQuery, pageOf } from "../../../kernel/page";
import { examplePage } from "../../../operation/example";
import { operation } from "../../cloud-operation";
import { Delivery, DeliveryStatus, toDelivery } from "./delivery";
import { ownWebhook } from "./webhook";
import { deliveryExample } from "./webhook.example";

/** Lists the deliveries of a webhook in the last 30 days, newest first. Throws `not_found`. */
export const listWebhookDeliveries = operation({
  id: "listWebhookDeliveries",
  summary: "List the deliveries of a webhook",
  access: "webhooks:read",
  input: z.strictObject({
    ...PageQuery.shape,
    id: IdText,
    status: DeliveryStatus.optional(),
    event_type: IdText.optional().describe("Only deliveries of this kind of event"),
    from: Moment.optional().describe("Only deliveries created at this time or later"),
    to: Moment.optional().describe("Only deliveries created before this time"),
  }),
  output: pageOf(Delivery),
  example: { input: { id: deliveryExample.webhook_id, status: "succeeded" }, output: examplePage(deliveryExample) },
  run: async (ctx: ActorCtx, input) => {
    const { id: webhookId } = await ownWebhook(ctx, input.id);
    const { status, event_type: eventType, from, to } = input;
    const filters = { webhookId, status, eventType, from: from?.toISOString(), to: to?.toISOString() };
    return fetchPage(listScope(ctx, "webhook_deliveries", filters), input, async ({ after, take }) => {
      const rows = await ctx.db.webhookDelivery.findMany({
        where: {
          webhookId,
          ...(status && { status }),
          ...(eventType !== undefined && { eventType }),
          ...((from || to) && { createdAt: { ...(from && { gte: from }), ...(to && { lt: to }) } }),
          ...(after !== undefined && { id: { lt: after } }),
        },
        orderBy: { id: "desc" },
        take,
      });
      return rows.map(toDelivery);
    });
  },
});
