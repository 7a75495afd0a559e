import type { Prisma } from "../../engines/postgres/generated/client";
import { ServiceError } from "../../kernel/errors";
import { allItems } from "./item-counts.sql";

/**
 * Throws `quota_exceeded` if `adding` more products and creatives (by default one) would exceed the installation's
 * limit.
 */
export async function assertInstallationHasRoom(
  tx: Prisma.TransactionClient,
  { itemsMax }: { itemsMax: number },
  adding = 1,
): Promise<void> {
  if (adding === 0 || (await allItems(tx)) + adding <= itemsMax) return;
  throw new ServiceError("quota_exceeded", installationFull(itemsMax), {
    details: { reason: "installation_full", resource: "items", limit: itemsMax },
  });
}

export const installationFull = (itemsMax: number): string =>
  `The installation's limit of ${itemsMax} products and creatives is reached; the operator can raise SVC_ITEMS_MAX.`;
