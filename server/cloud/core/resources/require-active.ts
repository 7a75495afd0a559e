import type { Prisma } from "../../../engines/postgres/generated/client";
import { ServiceError } from "../../../kernel/errors";
import { activeTier } from "./activation";

/** Throws `conflict` (reason `not_activated`) unless the tenant has activated a service. */
export async function requireActive(
  tx: Prisma.TransactionClient,
  place: Parameters<typeof activeTier>[1],
): Promise<void> {
  if ((await activeTier(tx, place)) !== undefined) return;
  const { service } = place;
  throw new ServiceError(
    "conflict",
    `The service ${service} is not activated. Activate it: POST /v1/activations {"service": "${service}"}, or gpuc_activate.`,
    { details: { reason: "not_activated", service } },
  );
}
