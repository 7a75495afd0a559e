import { z } from "zod";
import type { FleetUpgrade } from "../../../engines/postgres/generated/client";
import type { SqlCtx } from "../../../identity/identity-ctx";
import { groupedBy } from "../../../kernel/grouped";
import type { Actor } from "../../../operation/actor";
import { operation } from "../../cloud-operation";
import { GPU_MODELS, type GpuModel } from "../../core/prices/gpu-models";
import { nodesOf, poolOf } from "./fleet";
import { type GangKeep, gangKeepOf } from "./gang-keeps.sql";
import { type GangKeepOut, GpuPoolPicture, type PoolDevice, type PoolNode, type PoolUpgrade } from "./pool";
import { gpuPoolPictureExample } from "./pool.example";
import { poolFigures } from "./pool-figures";
import { type HeldDevice, heldDevices, nodeUses, poolHours, type StoredNodeUse } from "./pool-use.sql";
import { poolWarmth } from "./pool-warmth.sql";
import { REGIONS } from "./regions";
import { ALL_JOINED_NODES } from "./upgrade-nodes.sql";

export const HISTORY_MS = 7 * 24 * 3600 * 1000;

/** Returns a pool with its nodes and devices, and its use in the last seven days. */
export const getGpuPool = operation({
  id: "getGpuPool",
  summary: "Get a GPU pool with its nodes",
  description:
    "Shows which GPUs are free, held by pods that the caller can read, or held by others, and how fast pods have started. A model can have two pools in a region: a simulated one, and one with real GPUs.",
  access: "pods:read",
  input: z.strictObject({
    region: z.enum(REGIONS),
    gpu: z.enum(GPU_MODELS),
    simulated: z
      .enum(["true", "false"])
      .optional()
      .describe("Which of the two pools; default: with a live key the real one if it has GPUs, else the simulated one"),
  }),
  output: GpuPoolPicture,
  example: { input: { region: "use", gpu: "l40s" }, output: gpuPoolPictureExample },
  run: async (ctx: SqlCtx, { region, gpu, simulated: asked }) => {
    const live = poolOf(region, gpu, "live");
    const isLive = asked === undefined ? await isLiveByDefault(ctx, live) : asked === "false";
    const pool = isLive ? live : poolOf(region, gpu);
    const since = new Date(ctx.clock.now().getTime() - HISTORY_MS);
    const [stored, held, hours, warm, upgrade, keep] = await Promise.all([
      nodeUses(ctx.sql, pool),
      heldDevices(ctx.sql, pool),
      poolHours(ctx.sql, pool, since),
      poolWarmth(ctx.sql, { pool, since, actor: ctx.actor }),
      ctx.db.fleetUpgrade.findFirst({
        where: { pool: isLive ? { in: [pool, ALL_JOINED_NODES] } : pool, finishedAt: null, tenantId: null },
        orderBy: { pool: "desc" },
      }),
      gangKeepOf(ctx.db, pool),
    ]);
    const nodes = stored.length > 0 || isLive ? stored : idleNodesOf(pool, gpu);
    const byNode = groupedBy(held, ({ node }) => node);
    return {
      region,
      gpu,
      simulated: !isLive,
      ...poolFigures(nodes),
      warm,
      upgrade: upgrade && toPoolUpgrade(upgrade),
      gang_keep: keep === undefined ? null : toGangKeep(keep, { nodes, byNode, actor: ctx.actor }),
      node_list: nodes
        .map((node) => toPoolNode(node, byNode.get(node.node) ?? [], ctx.actor))
        .sort((a, b) => a.name.localeCompare(b.name, "en", { numeric: true })),
      history: hours.map(({ start, ...means }) => ({ start: start.toISOString(), ...means })),
    };
  },
});

const isLiveByDefault = async ({ actor, sql }: SqlCtx, pool: string): Promise<boolean> =>
  actor.kind === "key" && actor.mode === "live" && (await nodeUses(sql, pool)).length > 0;

const toPoolUpgrade = ({ targetVersion, strategy, maxUnavailable, ...row }: FleetUpgrade): PoolUpgrade => ({
  target_version: targetVersion,
  strategy,
  max_unavailable: maxUnavailable,
  state: row.state === "paused" ? "paused" : "running",
  nodes: row.nodes,
  upgraded_nodes: row.upgradedNodes,
});

const idleNodesOf = (pool: string, gpu: GpuModel): StoredNodeUse[] =>
  nodesOf(gpu).map(({ name: node, gpus, domain }) => ({
    pool,
    node,
    gpus,
    domain,
    simulated: true,
    isCordoned: false,
    isDraining: false,
    usedGpus: 0,
    spotGpus: 0,
    withheld: [],
    withheldGpus: 0,
  }));

interface KeptNodes {
  nodes: readonly StoredNodeUse[];
  byNode: ReadonlyMap<string, HeldDevice[]>;
  actor: Actor;
}

function toGangKeep(keep: GangKeep, { nodes, byNode, actor }: KeptNodes): GangKeepOut {
  const wanted = keep.places.map(({ node: name, members }) => ({ name, gpus: members * keep.gpuCount }));
  const missing = wanted.map(({ name, gpus }) => {
    const node = nodes.find((one) => one.node === name);
    const held = (byNode.get(name) ?? []).filter(({ spot }) => keep.spot || !spot).length;
    return Math.max(0, gpus - ((node?.gpus ?? 0) - (node?.withheldGpus ?? 0) - held));
  });
  return {
    since: keep.since.toISOString(),
    starts_by: keep.startsBy.toISOString(),
    nodes: wanted,
    missing_gpus: missing.reduce((sum, count) => sum + count, 0),
    gang: canRead(actor, keep) ? keep.gangName : null,
  };
}

function toPoolNode(
  { node: name, gpus, domain, withheld, isCordoned, isDraining }: StoredNodeUse,
  held: HeldDevice[],
  actor: Actor,
): PoolNode {
  const byDevice = new Map(held.map((device) => [device.device, device]));
  const devices = Array.from({ length: gpus }, (_, number) => {
    const device = toDevice(byDevice.get(number), actor);
    return device.use === "free" && withheld.includes(number) ? { ...device, use: "unavailable" as const } : device;
  });
  return { name, domain, accepts_pods: !isCordoned, draining: isDraining, devices };
}

function toDevice(held: HeldDevice | undefined, actor: Actor): PoolDevice {
  if (!held) return { use: "free", spot: false, pod_id: null };
  const isOwn = canRead(actor, held);
  return { use: isOwn ? "own" : "other", spot: held.spot, pod_id: isOwn ? held.podId : null };
}

/** As `findPod` decides it: a key sees the pods of its own project and mode, a person all of the tenant. */
const canRead = (
  actor: Actor,
  { tenantId, projectId, mode }: Pick<HeldDevice, "tenantId" | "projectId" | "mode">,
): boolean =>
  actor.tenantId === tenantId && (actor.kind !== "key" || (actor.projectId === projectId && actor.mode === mode));
