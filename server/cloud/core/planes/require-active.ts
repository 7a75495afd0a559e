import type { Prisma } from "../../../engines/postgres/generated/client";
import { ServiceError } from "../../../kernel/errors";
import { activeTier, notActivated } from "./active-tier";

/** Throws `conflict` (reason `not_activated`) unless the tenant has activated a service. */
export async function requireActive(
  tx: Prisma.TransactionClient,
  place: Parameters<typeof activeTier>[1],
): Promise<void> {
  if ((await activeTier(tx, place)) !== undefined) return;
  const { message, remedy } = notActivated(place);
  const { plane, service } = place;
  throw new ServiceError("conflict", `${message} ${remedy}`, {
    details: { reason: "not_activated", plane, service },
  });
}
