import type { z } from "zod";
import type { GpuNode, PrismaClient } from "../../../engines/postgres/generated/client";
import type { Clock } from "../../../kernel/clock";
import { OUT_OF_HAND } from "./advance-node-upgrade";
import { changeFleetUpgrade, type FleetUpgradeId } from "./change-fleet-upgrade";
import { endUpgradeOf, openAfterUpgrade } from "./change-upgrading-nodes";
import type { FleetUpgradeLine } from "./fleet-upgrade";

/**
 * Ends an upgrade that has not ended, and uncordons the nodes that it has cordoned; pods that have been given notice keep it.
 * A node whose upgrade was begun is finished first, and one whose upgrade failed stays cordoned, but not a joined one, which is what its agent reports.
 * Throws `not_found`, and `conflict` if it has ended.
 */
export const cancelFleetUpgrade = (
  { db, clock }: { db: PrismaClient; clock: Clock },
  input: z.output<typeof FleetUpgradeId>,
): Promise<FleetUpgradeLine[]> =>
  changeFleetUpgrade({ db }, input, {
    verb: "cancelled",
    from: ["running", "paused"],
    data: { state: "cancelled", pauseReason: null, finishedAt: clock.now() },
    ofNode: afterCancel,
    ofJoinedNode: { in: ["emptying", "upgraded", "failed"], data: OUT_OF_HAND },
  });

export function afterCancel(node: GpuNode): Partial<GpuNode> | undefined {
  if (node.upgradeState === "upgrading") return undefined;
  return node.upgradeState === "failed" ? endUpgradeOf : openAfterUpgrade(node);
}
