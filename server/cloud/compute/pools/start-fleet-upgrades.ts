import type { StartedAlarms } from "../../../engines/start-alarms";
import type { RunningRound } from "../../../kernel/alarms";
import { type AdvanceUpgrades, advanceFleetUpgrades } from "./advance-fleet-upgrades";
import { NEXT_UPGRADE_STEP } from "./upgrade-state.sql";

export interface StartFleetUpgrades extends Omit<AdvanceUpgrades, "upgradeNode" | "lookingSince"> {
  alarms: Pick<StartedAlarms, "add">;
}

/**
 * Advances fleet upgrades in the background until `stop`; several processes may do so at the same time. Nothing is
 * installed on simulated nodes, and agents of joined nodes are restarted by the processes that drive them.
 */
export function startFleetUpgrades({ alarms, ...ctx }: StartFleetUpgrades): RunningRound {
  const lookingSince = ctx.clock.now();
  return alarms.add({
    topic: "upgrades",
    purpose: "advance fleet upgrades",
    nextDue: NEXT_UPGRADE_STEP,
    run: () => advanceFleetUpgrades({ ...ctx, lookingSince, upgradeNode: () => Promise.resolve() }),
  });
}
