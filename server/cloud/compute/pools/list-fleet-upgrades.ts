import type { PrismaClient } from "../../../engines/postgres/generated/client";
import { type FleetUpgradeLine, fleetUpgradeLines } from "./fleet-upgrade";

/** The upgrades of all pools, one line per pool, the newest first, at most 200. */
export const listFleetUpgrades = ({ db }: { db: PrismaClient }): Promise<FleetUpgradeLine[]> =>
  fleetUpgradeLines(db, {});
