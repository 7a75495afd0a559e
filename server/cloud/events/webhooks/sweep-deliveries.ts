import type { PrismaClient } from "../../../engines/postgres/generated/client";
import type { Clock } from "../../../kernel/clock";

const KEPT_MS = 30 * 24 * 60 * 60 * 1000;
/** Rows per statement: few enough to stay within the statement timeout; each has a few attempts. */
const BATCH_ROWS = 1000;

/** Deletes deliveries with their attempts 30 days after they were created, and webhooks 30 days after their deletion. */
export async function sweepDeliveries({ db, clock }: { db: PrismaClient; clock: Clock }): Promise<void> {
  const old = { lt: new Date(clock.now().getTime() - KEPT_MS) };
  const createdAt = old;
  // A replay of an old delivery may still be pending.
  await inBatches((limit) =>
    db.webhookDelivery.deleteMany({ where: { createdAt, status: { not: "pending" } }, limit }),
  );
  await inBatches((limit) => db.webhook.deleteMany({ where: { deletedAt: old, deliveries: { none: {} } }, limit }));
}

async function inBatches(deleteUpTo: (limit: number) => Promise<{ count: number }>): Promise<void> {
  while ((await deleteUpTo(BATCH_ROWS)).count === BATCH_ROWS);
}
