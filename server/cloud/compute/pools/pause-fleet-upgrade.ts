import type { z } from "zod";
import type { PrismaClient } from "../../../engines/postgres/generated/client";
import { changeFleetUpgrade, type FleetUpgradeId } from "./change-fleet-upgrade";
import type { FleetUpgradeLine } from "./fleet-upgrade";

/**
 * Lets an upgrade cordon, drain and upgrade no further nodes. Pods that have notice keep it, and a node whose upgrade was
 * begun is finished. Throws `not_found`, and `conflict` if it does not run.
 */
export const pauseFleetUpgrade = (
  ctx: { db: PrismaClient },
  input: z.output<typeof FleetUpgradeId>,
): Promise<FleetUpgradeLine[]> =>
  changeFleetUpgrade(ctx, input, {
    verb: "paused",
    from: ["running"],
    data: { state: "paused", pauseReason: "An operator has paused it." },
  });
