import type { Mail } from "../../../engines/mail/mail";
import type { Prisma, PrismaClient, Webhook as WebhookRow } from "../../../engines/postgres/generated/client";
import { appendAudit } from "../../../identity/audit/record-audit";
import type { Clock } from "../../../kernel/clock";
import { type AttemptResult, isGone } from "./attempt-result";
import { disabledEmail } from "./disabled-email";
import { disableWebhook } from "./disabling";
import type { StoredResult } from "./results.sql";
import { webhookTarget } from "./webhook";
import { lockWebhook } from "./webhook.sql";

/** A webhook is disabled if it fails for this long without a success. */
export const FAILING_MS = 5 * 24 * 60 * 60 * 1000;

export interface HealthCtx {
  db: PrismaClient;
  clock: Clock;
  mail: Mail;
  publicUrl: string;
}

/** Notes on a webhook since when it fails, and disables one that responded 410 or has failed for 5 days. */
export async function updateHealth(
  ctx: HealthCtx,
  { result, before }: { result: AttemptResult; before: StoredResult },
): Promise<void> {
  const { db } = ctx;
  const { webhookId: id, startedAt } = result;
  if (result.error === null) {
    if (before.failingSince === null) return;
    // A failure after this success stays noted.
    await db.webhook.updateMany({
      where: { id, failingSince: { lte: result.finishedAt ?? startedAt } },
      data: { failingSince: null },
    });
  } else if (isGone(result)) {
    await disable(ctx, id, "gone");
  } else if (before.failingSince === null) {
    await db.webhook.updateMany({ where: { id, failingSince: null }, data: { failingSince: startedAt } });
  } else if (hasFailedLong(before.failingSince, ctx.clock)) {
    await disable(ctx, id, "failing");
  }
}

const hasFailedLong = (since: Date | null, clock: Clock): boolean =>
  since !== null && clock.now().getTime() - since.getTime() >= FAILING_MS;

/** Disables an enabled webhook, and tells the owners of the tenant. */
async function disable(ctx: HealthCtx, id: string, reason: "gone" | "failing"): Promise<void> {
  const now = ctx.clock.now();
  await ctx.db.$transaction(async (tx) => {
    await lockWebhook(tx, id);
    const webhook = await tx.webhook.findFirst({ where: { id, status: "enabled", deletedAt: null } });
    if (!webhook || (reason === "failing" && !hasFailedLong(webhook.failingSince, ctx.clock))) return;
    const row = await disableWebhook(tx, { webhook, reason, now });
    await emailOwners(tx, ctx, row);
    const origin = { tenantId: row.tenantId, at: now, actor: { type: "system" }, request: undefined } as const;
    await appendAudit(tx, origin, { action: "webhook.disabled", targets: [webhookTarget(row)], details: { reason } });
  });
}

async function emailOwners(
  tx: Prisma.TransactionClient,
  { mail, publicUrl }: HealthCtx,
  webhook: WebhookRow,
): Promise<void> {
  const { tenantId } = webhook;
  const owners = await tx.membership.findMany({ where: { tenantId, role: "owner" }, include: { user: true } });
  for (const { user } of owners) {
    await mail.send(tx, { tenantId, ...disabledEmail({ publicUrl, webhook, to: user.email }) });
  }
}
