import { z } from "zod";
import type { ActorCtx } from "../../../identity/identity-ctx";
import { ServiceError } from "../../../kernel/errors";
import { ownNodes } from "../../compute/pools/own-nodes.sql";
import { readOwnUpgrades } from "../../compute/pools/read-own-upgrades";
import { startOwnUpgrade } from "../../compute/pools/start-own-upgrade";
import { removeOwnUpgrade, suspendOwnUpgrade } from "../../compute/pools/stop-own-upgrade";
import { type Blocker, type Kind, type ResourceOwner, SELDOM_SECONDS } from "../../core/kinds/kind";

const MAX_UNAVAILABLE_MAX = 1000;

const UpgradeSpec = z.strictObject({
  target_version: z
    .string()
    .regex(
      /^[0-9A-Za-z][0-9A-Za-z.+_-]{0,63}$/,
      "expected a version of up to 64 letters, digits and . + _ -, such as 1.2.0",
    )
    .describe("The version that the nodes are to have, such as 1.2.0"),
  strategy: z
    .enum(["rolling", "blue_green"])
    .default("rolling")
    .describe(
      "rolling: one node after the other; blue_green: the first half of the nodes and, after 5 minutes without a critical event, the other half",
    ),
  max_unavailable: z
    .int()
    .min(1)
    .max(MAX_UNAVAILABLE_MAX)
    .default(1)
    .describe("How many of the nodes may be unavailable at a time; default 1"),
});
type UpgradeSpec = z.output<typeof UpgradeSpec>;

/** An upgrade of the nodes that a tenant has for itself. */
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
  blockerOf: (_spec, owner) => blockerOf(parts(), owner),
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
    return (await readOwnUpgrades(parts(), [id])).get(id) ?? { is: "absent" };
  },
  observe: (all) =>
    readOwnUpgrades(
      parts(),
      all.map(({ rid }) => rid),
    ),
  remove: ({ rid }) => removeOwnUpgrade(parts(), rid),
  suspend: ({ rid }) => suspendOwnUpgrade(parts(), rid),
});

async function blockerOf({ db }: Pick<ActorCtx, "db">, owner: ResourceOwner): Promise<Blocker | undefined> {
  if (owner.mode === "live") return OF_OPERATORS;
  const nodes = await ownNodes(db, { ...owner, projectId: undefined });
  return nodes.length === 0 ? NO_NODES : undefined;
}

const OF_OPERATORS: Blocker = {
  code: "needs_capability",
  message: "Operators upgrade nodes that have joined: a node may run pods of several tenants.",
  remedy:
    "Ask the operators (svc admin upgrade-fleet --pool joined-nodes), or use test mode, where nodes are simulated.",
};

const NO_NODES: Blocker = {
  code: "target_missing",
  message: "No baremetal instance of yours runs, so that you have no node.",
  remedy: "Create one with the service baremetal, wait until it runs, and create the upgrade again.",
};
