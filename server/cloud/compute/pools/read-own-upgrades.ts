import type { ActorCtx } from "../../../identity/identity-ctx";
import { groupedBy } from "../../../kernel/grouped";
import type { Observation, Observed } from "../../core/kinds/kind";
import { type FleetUpgradeLine, fleetUpgradeLines } from "./fleet-upgrade";
import { nodeNameOf } from "./own-nodes.sql";

/** What upgrades of tenants' own nodes are, by their ids. */
export async function readOwnUpgrades(
  { db }: Pick<ActorCtx, "db">,
  ids: string[],
): Promise<ReadonlyMap<string, Observation>> {
  const where = { id: { in: ids } };
  const lines = await fleetUpgradeLines(db, where, await db.fleetUpgrade.count({ where }));
  return new Map([...groupedBy(lines, ({ id }) => id)].map(([id, own]) => [id, toObservation(own)]));
}

function toObservation(lines: readonly FleetUpgradeLine[]): Observation {
  const sum = (of: (line: FleetUpgradeLine) => number) => lines.reduce((total, line) => total + of(line), 0);
  const status = (["cancelled", "paused", "running"] as const).find((one) => lines.some(({ state }) => state === one));
  const paused = lines.find(({ state }) => state === "paused");
  const observed: Observed = {
    status: status ?? "completed",
    pause_reason: paused?.pause_reason ?? null,
    nodes: sum(({ nodes }) => nodes),
    upgraded: sum((line) => line.upgraded_nodes),
    draining: sum((line) => line.draining_nodes),
    failed: sum((line) => line.failed_nodes),
    node_names: lines.flatMap(({ pool, node_names }) => node_names.map((node) => nodeNameOf({ pool, node }))),
    simulated: true,
    started_at: lines[0]?.started_at ?? null,
    finished_at:
      status === undefined
        ? (lines
            .map(({ finished_at }) => finished_at)
            .sort()
            .at(-1) ?? null)
        : null,
  };
  if (status === "running") return { is: "changing", observed };
  if (status === undefined) return { is: "present", observed };
  const message =
    status === "cancelled"
      ? "An operator has cancelled the upgrade: delete it, and create another one."
      : `The upgrade is paused: ${paused?.pause_reason ?? ""} Update it with the same spec to continue, or delete it.`;
  return { is: "faulty", observed, message };
}
