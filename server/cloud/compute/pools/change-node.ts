import type { GpuNode, Prisma, PrismaClient } from "../../../engines/postgres/generated/client";
import { ServiceError } from "../../../kernel/errors";
import { GPU_MODELS } from "../../core/prices/gpu-models";
import { poolOf } from "./fleet";
import { lockPool } from "./pools.sql";
import { REGIONS } from "./regions";

export interface NodeName {
  /** `<region>/<gpu>`. */
  pool: string;
  node: string;
}

/** What decides whether a node accepts pods. */
export type NodeState = Pick<
  GpuNode,
  "cordonedAt" | "cordonReason" | "cordonSource" | "cordonRid" | "drains" | "flaps" | "upgradeId" | "upgradeState"
>;

export const OPEN: NodeState = {
  cordonedAt: null,
  cordonReason: null,
  cordonSource: null,
  cordonRid: null,
  drains: false,
  flaps: false,
  upgradeId: null,
  upgradeState: null,
};

/** The state of a node in a fleet upgrade, which is separate from other reasons to cordon it. */
export const upgradeOf = ({ upgradeId, upgradeState }: GpuNode): Pick<NodeState, "upgradeId" | "upgradeState"> => ({
  upgradeId,
  upgradeState,
});

/** What a node becomes when what cordoned it is over: it is not open while an upgrade has it in hand. */
export function stateWithoutCordon(before: GpuNode): NodeState {
  if (before.upgradeId === null) return OPEN;
  const cordon = { cordonSource: "upgrade", cordonReason: "Its upgrade is not complete.", cordonRid: null } as const;
  return { ...before, ...cordon, flaps: false };
}

export interface ChangedNode {
  node: GpuNode;
  isChanged: boolean;
}

/**
 * Changes the state of a node to what `decide` returns, in one transaction that locks its pool and raises both versions:
 * the next decision of every process sees it. Throws `not_found`, which names what exists.
 */
export async function changeNode(
  { db }: { db: PrismaClient },
  { pool, node }: NodeName,
  decide: (tx: Prisma.TransactionClient, before: GpuNode) => Promise<NodeState> | NodeState,
): Promise<ChangedNode> {
  assertPool(pool);
  return db.$transaction((tx) => changeNodeIn(tx, { pool, node }, (before) => decide(tx, before)));
}

/** The same, in a transaction of the caller. */
export async function changeNodeIn(
  tx: Prisma.TransactionClient,
  { pool, node }: NodeName,
  decide: (before: GpuNode) => Promise<NodeState> | NodeState,
): Promise<ChangedNode> {
  await lockPool(tx, pool);
  const where = { pool_node: { pool, node } };
  const before = await tx.gpuNode.findUnique({ where });
  if (!before) throw await noSuchNode(tx, { pool, node });
  const state = await decide(before);
  if (isSame(before, state)) return { node: before, isChanged: false };
  const { version } = await tx.gpuPool.update({ where: { pool }, data: { version: { increment: 1 } } });
  return { node: await tx.gpuNode.update({ where, data: { ...state, version } }), isChanged: true };
}

const poolsOf = (mode: "test" | "live"): string[] =>
  REGIONS.flatMap((region) => GPU_MODELS.map((gpu) => poolOf(region, gpu, mode)));

/** The simulated ones, in the order in which a transaction that locks several pools locks them. */
export const POOLS: readonly string[] = poolsOf("test");

/** Those of real nodes. */
export const LIVE_POOLS: readonly string[] = poolsOf("live");

/** Throws `not_found` for a pool that does not exist. */
export function assertPool(pool: string): void {
  if (POOLS.includes(pool) || LIVE_POOLS.includes(pool)) return;
  const message = `No GPU pool has the name "${pool.slice(0, 80)}". Pools: ${POOLS.join(", ")}; with /live at the end, those of real GPUs.`;
  throw new ServiceError("not_found", message, { param: "pool" });
}

async function noSuchNode(tx: Prisma.TransactionClient, { pool, node }: NodeName): Promise<ServiceError> {
  const nodes = await tx.gpuNode.findMany({ where: { pool }, select: { node: true } });
  const names = nodes.map(({ node: name }) => name).sort((a, b) => a.localeCompare(b, "en", { numeric: true }));
  const message = `No node of ${pool} has the name "${node.slice(0, 80)}". Nodes: ${names.join(", ")}.`;
  return new ServiceError("not_found", message, { param: "node" });
}

const isSame = (before: NodeState, after: NodeState): boolean =>
  before.cordonedAt?.getTime() === after.cordonedAt?.getTime() &&
  before.cordonReason === after.cordonReason &&
  before.cordonSource === after.cordonSource &&
  before.cordonRid === after.cordonRid &&
  before.drains === after.drains &&
  before.flaps === after.flaps &&
  before.upgradeId === after.upgradeId &&
  before.upgradeState === after.upgradeState;
