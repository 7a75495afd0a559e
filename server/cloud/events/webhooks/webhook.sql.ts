import type { Prisma } from "../../../engines/postgres/generated/client";

/**
 * Locks a webhook's row until the transaction ends: no deliveries are created for it meanwhile, and none that another
 * transaction is creating are missed.
 */
export async function lockWebhook(tx: Prisma.TransactionClient, id: string): Promise<void> {
  await tx.$queryRaw`SELECT id FROM webhooks WHERE id = ${id} FOR NO KEY UPDATE`;
}

/** Ends the deliveries of a webhook that still wait for an attempt. */
export async function failPending(
  tx: Prisma.TransactionClient,
  { webhookId, reason, now }: { webhookId: string; reason: string; now: Date },
): Promise<void> {
  await tx.webhookDelivery.updateMany({
    where: { webhookId, status: "pending" },
    data: { status: "failed", nextAttemptAt: null, lastError: reason, finishedAt: now },
  });
}
