import type { Logger } from "pino";
import { type Repeating, repeat } from "../../kernel/repeat";
import { type AdvanceUpgrades, advanceFleetUpgrades } from "./advance-fleet-upgrades";

export interface StartFleetUpgrades extends Omit<AdvanceUpgrades, "upgradeNode"> {
  log: Pick<Logger, "info" | "warn">;
}

const ROUND_MS = 1000;

/**
 * Advances fleet upgrades in the background until `stop`; several processes may do so at the same time. All nodes are
 * simulated: nothing is installed on them.
 */
export function startFleetUpgrades({ log, ...ctx }: StartFleetUpgrades): Repeating {
  return repeat({ everyMs: ROUND_MS, log, purpose: "advance fleet upgrades" }, () =>
    advanceFleetUpgrades({ ...ctx, upgradeNode: () => Promise.resolve() }),
  );
}
