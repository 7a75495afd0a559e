import { z } from "zod";
import type { GpuNode, PrismaClient } from "../../../engines/postgres/generated/client";
import { ServiceError } from "../../../kernel/errors";
import { type ChangedNode, changeNode, OPEN } from "./change-node";

export const UncordonNode = z.strictObject({ pool: z.string(), node: z.string() });

/**
 * Lets a node accept pods again, regardless of what cordoned it, and ends its drain. Pods that have been given notice keep it.
 * Throws `not_found`, and `conflict` while a fleet upgrade has it in hand, unless that failed.
 */
export const uncordonNode = (
  { db }: { db: PrismaClient },
  place: z.output<typeof UncordonNode>,
): Promise<ChangedNode> =>
  changeNode({ db }, place, (_tx, before) => {
    assertNotUpgrading(before);
    return OPEN;
  });

function assertNotUpgrading({ node, pool, upgradeId, upgradeState }: GpuNode): void {
  if (upgradeId === null || upgradeState === "failed") return;
  const message = `The upgrade ${upgradeId} has ${node} of ${pool} in hand, and uncordons it. To end the upgrade: cancel-upgrade ${upgradeId}.`;
  throw new ServiceError("conflict", message, { param: "node" });
}
