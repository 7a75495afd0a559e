import type { Logger } from "pino";
import { type Repeating, repeat } from "../../kernel/repeat";
import { type AdvanceUpgrades, advanceFleetUpgrades } from "./advance-fleet-upgrades";

export interface StartFleetUpgrades extends Omit<AdvanceUpgrades, "upgradeNode" | "lookingSince"> {
  log: Pick<Logger, "info" | "warn">;
}

const ROUND_MS = 1000;

/**
 * Advances fleet upgrades in the background until `stop`; several processes may do so at the same time. Nothing is
 * installed on simulated nodes, and agents of machines are restarted by the processes that drive them.
 */
export function startFleetUpgrades({ log, ...ctx }: StartFleetUpgrades): Repeating {
  const lookingSince = ctx.clock.now();
  return repeat({ everyMs: ROUND_MS, log, purpose: "advance fleet upgrades" }, () =>
    advanceFleetUpgrades({ ...ctx, lookingSince, upgradeNode: () => Promise.resolve() }),
  );
}
