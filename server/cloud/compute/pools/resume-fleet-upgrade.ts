import type { z } from "zod";
import type { PrismaClient } from "../../../engines/postgres/generated/client";
import type { Clock } from "../../../kernel/clock";
import { changeFleetUpgrade, type FleetUpgradeId } from "./change-fleet-upgrade";
import type { FleetUpgradeLine } from "./fleet-upgrade";

/**
 * Lets a paused upgrade go on, and tries the nodes again that failed. Throws `not_found`, and `conflict` if it is not
 * paused.
 */
export const resumeFleetUpgrade = (
  { db, clock }: { db: PrismaClient; clock: Clock },
  input: z.output<typeof FleetUpgradeId>,
): Promise<FleetUpgradeLine[]> =>
  changeFleetUpgrade({ db }, input, {
    verb: "resumed",
    from: ["paused"],
    data: { state: "running", pauseReason: null, resumedAt: clock.now() },
    ofNode: ({ upgradeState }) => (upgradeState === "failed" ? { upgradeState: "emptying" } : undefined),
    ofJoinedNode: { in: ["failed"], data: { upgradeState: "emptying", upgradeBegunAt: clock.now() } },
  });
