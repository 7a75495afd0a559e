import { z } from "zod";
import type { Prisma, Webhook as WebhookRow } from "../../../engines/postgres/generated/client";
import { recordUpdate } from "../../../identity/audit/record-update";
import { recordEvent } from "../../../identity/events/record-event";
import type { ActorCtx } from "../../../identity/identity-ctx";
import { IdText, NameText } from "../../../identity/wire-text";
import { EXAMPLE_LATER } from "../../../operation/example";
import { operation } from "../../cloud-operation";
import { disableWebhook } from "./disabling";
import { assertKnownKinds, Subscriptions } from "./subscription";
import { ownWebhook, toWebhook, Webhook, webhookTarget, withoutUrlQuery } from "./webhook";
import { webhookUpdated } from "./webhook.events";
import { webhookExample } from "./webhook.example";
import { lockWebhook } from "./webhook.sql";
import type { WebhookCtx } from "./webhook-ctx";
import { assertUrl, WebhookUrl } from "./webhook-url";

export const UpdateWebhook = z.strictObject({
  id: IdText,
  name: NameText.optional(),
  url: WebhookUrl.optional().describe("Attempts that are under way still use the previous URL"),
  events: Subscriptions.optional(),
  status: z
    .enum(["enabled", "disabled"])
    .optional()
    .describe("`disabled`: pending deliveries fail, and can be replayed after the webhook is enabled again"),
});
type UpdateWebhookInput = z.output<typeof UpdateWebhook>;

/**
 * Changes the given fields. Throws `not_found`, and `invalid_request` for a URL that cannot be requested and an unknown
 * kind of event.
 */
export const updateWebhook = operation({
  id: "updateWebhook",
  summary: "Update, enable or disable a webhook",
  access: "webhooks:write",
  input: UpdateWebhook,
  output: Webhook,
  example: {
    input: { id: webhookExample.id, events: ["*"] },
    output: { ...webhookExample, events: ["*"], updated_at: EXAMPLE_LATER },
  },
  run: async (ctx: ActorCtx & Pick<WebhookCtx, "eventKinds" | "urlPolicy">, input) => {
    const { db, clock, actor, eventKinds, urlPolicy } = ctx;
    if (input.url !== undefined) assertUrl(input.url, urlPolicy);
    if (input.events) assertKnownKinds(eventKinds, input.events);
    const now = clock.now();
    const updated = await db.$transaction(async (tx) => {
      await lockWebhook(tx, input.id);
      const before = await ownWebhook({ db: tx, actor }, input.id);
      const row = await change(tx, { before, input, now });
      if (row === before) return toWebhook(before, now);
      const data = withoutUrlQuery(toWebhook(row, now));
      const { tenantId, projectId, mode } = row;
      await recordEvent(tx, { tenantId, projectId, mode, at: now }, { kind: webhookUpdated, data });
      // The query of a URL may contain a token, so that the log only says that the URL was changed.
      const url = input.url !== undefined && input.url !== before.url ? `${data.url} (changed)` : data.url;
      const [target, earlier] = [webhookTarget(row), withoutUrlQuery(toWebhook(before, now))];
      await recordUpdate(tx, ctx, { target, before: earlier, after: { ...data, url } });
      return toWebhook(row, now);
    });
    return updated;
  },
});

interface Asked {
  before: WebhookRow;
  input: UpdateWebhookInput;
  now: Date;
}

/** Returns the row after the changes; `before` itself if there are none. */
async function change(tx: Prisma.TransactionClient, { before, input, now }: Asked): Promise<WebhookRow> {
  const { name = before.name, url = before.url, events = before.events, status = before.status } = input;
  const isSame =
    name === before.name && url === before.url && `${events}` === `${before.events}` && status === before.status;
  if (isSame && (status === "disabled" || before.failingSince === null || input.status === undefined)) return before;
  const enabling =
    input.status === "enabled" ? { status, disabledReason: null, disabledAt: null, failingSince: null } : {};
  const row = await tx.webhook.update({
    where: { id: before.id },
    data: { name, url, events, ...enabling, updatedAt: now },
  });
  const isDisabling = status === "disabled" && before.status === "enabled";
  return isDisabling ? disableWebhook(tx, { webhook: row, reason: "by_request", now }) : row;
}
