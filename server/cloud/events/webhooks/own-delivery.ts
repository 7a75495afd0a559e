import type { Prisma } from "../../../engines/postgres/generated/client";
import { notFound } from "../../../kernel/errors";
import { type DeliveryWithAttempts, toDeliveryWithAttempts } from "./delivery";

const ATTEMPTS_SHOWN = 100;

/** Returns a delivery with its event and attempts; `webhookId` is a webhook that the actor may see. Throws `not_found`. */
export async function deliveryWithAttempts(
  db: Pick<Prisma.TransactionClient, "webhookDelivery" | "event">,
  { webhookId, id }: { webhookId: string; id: string },
): Promise<DeliveryWithAttempts> {
  const row = await db.webhookDelivery.findFirst({
    where: { webhookId, id },
    include: { attempts: { orderBy: { number: "asc" }, take: ATTEMPTS_SHOWN } },
  });
  const event = row && (await db.event.findUnique({ where: { id: row.eventId } }));
  if (!row || !event) throw notFound("delivery of this webhook", id);
  return toDeliveryWithAttempts(row, event);
}
