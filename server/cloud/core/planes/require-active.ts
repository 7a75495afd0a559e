import type { Prisma } from "../../../engines/postgres/generated/client";
import { ServiceError } from "../../../kernel/errors";
import { activeTier, notActivated } from "./active-tier";

/** Throws `conflict` (reason `not_activated`) unless the tenant has activated a service. */
export async function requireActive(
  tx: Prisma.TransactionClient,
  owner: Parameters<typeof activeTier>[1],
): Promise<void> {
  if ((await activeTier(tx, owner)) !== undefined) return;
  const { message, remedy } = notActivated(owner);
  const { plane, service } = owner;
  throw new ServiceError("conflict", `${message} ${remedy}`, {
    details: { reason: "not_activated", plane, service },
  });
}
