import type { Prisma } from "../../../engines/postgres/generated/client";
import { RETRIES } from "./claim";

export const REPLAYS_MAX = 10_000;

interface ReplayRange {
  webhookId: string;
  from: Date;
  to: Date;
  status: "failed" | "succeeded";
  now: Date;
}

/**
 * Makes the oldest finished deliveries of a time range due again, with all retries. Returns how many, and when the first
 * one that was left out was created.
 */
export async function replayRange(
  tx: Prisma.TransactionClient,
  { webhookId, from, to, status, now }: ReplayRange,
): Promise<{ replayed: number; nextFrom: Date | undefined }> {
  const found = await tx.webhookDelivery.findMany({
    where: { webhookId, status, createdAt: { gte: from, lt: to } },
    orderBy: [{ createdAt: "asc" }, { id: "asc" }],
    take: REPLAYS_MAX + 1,
    select: { id: true, createdAt: true },
  });
  const ids = found.slice(0, REPLAYS_MAX).map(({ id }) => id);
  const replayed = await tx.$executeRaw`
    UPDATE webhook_deliveries SET status = 'pending', next_attempt_at = ${now}, lease_owner = NULL, retry_until = NULL,
      retries_left = ${RETRIES}, finished_at = NULL
    WHERE id = ANY(${ids}) AND status = ${status}::"DeliveryStatus"`;
  return { replayed, nextFrom: found[REPLAYS_MAX]?.createdAt };
}
