import type { ActorCtx } from "../../../identity/identity-ctx";
import { ServiceError } from "../../../kernel/errors";
import { groupedBy } from "../../../kernel/grouped";
import { type FleetUpgradeLine, fleetUpgradeLines } from "../../compute/pools/fleet-upgrade";
import { nodeNameOf, ownNodes } from "../../compute/pools/own-nodes.sql";
import { startOwnUpgrade } from "../../compute/pools/start-own-upgrade";
import { removeOwnUpgrade, suspendOwnUpgrade } from "../../compute/pools/stop-own-upgrade";
import {
  type Blocker,
  type Kind,
  type Observation,
  type Observed,
  type ResourceOwner,
  SELDOM_SECONDS,
} from "../../core/kinds/kind";
import { UpgradeSpec } from "./upgrade-spec";

export const upgradeKind = (parts: () => Omit<ActorCtx, "actor" | "request">): Kind<UpgradeSpec> => ({
  spec: UpgradeSpec,
  settled: true,
  driftSeconds: SELDOM_SECONDS,
  assertChange: () => {
    throw new ServiceError(
      "unprocessable",
      "An upgrade cannot be changed: delete it, which cancels it, and create another one.",
      { param: "spec", details: { reason: "fixed_spec" } },
    );
  },
  blockerOf: (_spec, place) => blockerOf(parts(), place),
  plan: ({ target_version, strategy, max_unavailable: max }) => [
    {
      step: "empty",
      what: `At most ${max} of your nodes at a time ${max === 1 ? "is" : "are"} cordoned and drained (${strategy}); instances have 30 seconds to end`,
      proof: "GET /v1/gpu-pools/nodes shows the node as draining, and the pod of the instance its notice",
    },
    {
      step: "upgrade",
      what: `The version of each node becomes ${target_version}`,
      proof: "observed.upgraded counts the nodes",
    },
    { step: "return", what: "The instances start again on their nodes, with their files", proof: "svc pods get" },
  ],
  provision: async ({ rid: id, tenantId, projectId, mode, spec }) => {
    const { db, clock } = parts();
    const { target_version: targetVersion, strategy, max_unavailable: maxUnavailable } = spec;
    await startOwnUpgrade({ db, clock }, { id, tenantId, projectId, mode, targetVersion, strategy, maxUnavailable });
    return (await observationOf(parts(), [id])).get(id) ?? { is: "absent" };
  },
  observe: (all) =>
    observationOf(
      parts(),
      all.map(({ rid }) => rid),
    ),
  remove: ({ rid }) => removeOwnUpgrade(parts(), rid),
  suspend: ({ rid }) => suspendOwnUpgrade(parts(), rid),
});

async function blockerOf(
  { db }: Pick<Omit<ActorCtx, "actor" | "request">, "db">,
  place: ResourceOwner,
): Promise<Blocker | undefined> {
  if (place.mode === "live") return OF_OPERATORS;
  const nodes = await ownNodes(db, { ...place, projectId: undefined });
  return nodes.length === 0 ? NO_NODES : undefined;
}

const OF_OPERATORS: Blocker = {
  code: "needs_capability",
  message: "Operators upgrade machines that have joined: a machine may run pods of several tenants.",
  remedy: "Ask the operators (svc admin upgrade-fleet --pool machines), or use test mode, where nodes are simulated.",
};

const NO_NODES: Blocker = {
  code: "target_missing",
  message: "No baremetal instance of yours runs, so that you have no node.",
  remedy: "Create one with the service baremetal, wait until it runs, and create the upgrade again.",
};

async function observationOf(
  { db }: Pick<Omit<ActorCtx, "actor" | "request">, "db">,
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
