import type { Prisma, Webhook as WebhookRow } from "../../../engines/postgres/generated/client";
import { recordEvent } from "../../../identity/events/record-event";
import { type DisabledReason, toWebhook, withoutUrlQuery } from "./webhook";
import { webhookDisabled } from "./webhook.events";
import { failPending } from "./webhook.sql";

interface Disabling {
  webhook: Pick<WebhookRow, "id" | "tenantId" | "projectId" | "mode">;
  reason: DisabledReason;
  now: Date;
}

const WHY: Record<DisabledReason, string> = {
  by_request: "The webhook was disabled.",
  gone: "The webhook was disabled because its endpoint responded 410 (Gone).",
  failing: "The webhook was disabled because every attempt failed for 5 days.",
};

/** Disables a webhook whose row is locked, ends its pending deliveries, and records `webhook.disabled`. */
export async function disableWebhook(
  tx: Prisma.TransactionClient,
  { webhook, reason, now }: Disabling,
): Promise<WebhookRow> {
  const { id, tenantId, projectId, mode } = webhook;
  const row = await tx.webhook.update({
    where: { id },
    data: { status: "disabled", disabledReason: reason, disabledAt: now, updatedAt: now },
  });
  await failPending(tx, { webhookId: id, reason: WHY[reason], now });
  const data = withoutUrlQuery(toWebhook(row, now));
  await recordEvent(tx, { tenantId, projectId, mode, at: now }, { kind: webhookDisabled, data });
  return row;
}
