import type { CordonSource } from "../../../engines/postgres/generated/client";
import type { NodeGpuReport } from "../nodes/claimed-node";
import { poolOf } from "../pools/fleet";
import { gpuModelOf } from "./gpu-model-of";

/** A node with what it reported last. */
export interface ReportedGpuNode {
  nodeId: string;
  /** Whether it reports at present, and its runtime works. */
  isFresh: boolean;
  /** Whether it has not reported for 10 minutes. */
  isGone: boolean;
  memoryMb: number;
  /** null: it passes no GPUs on, or was removed. */
  gpus: NodeGpuReport | null;
}

/** The part of a node that follows from its last report. */
export interface GpuNodeState {
  nodeId: string;
  /** 0: it is withdrawn. */
  gpus: number;
  cpuMilli: number;
  memoryMib: number;
  gpuUuids: readonly string[];
  withheld: readonly number[];
  cordonedAt: Date | null;
  cordonReason: string | null;
  cordonSource: CordonSource | null;
}

/** A node as it is stored in a pool of real GPUs. */
export interface StoredGpuNode extends GpuNodeState {
  pool: string;
  node: string;
  /** How many devices pods hold. */
  held: number;
}

export type GpuNodeChange = Pick<StoredGpuNode, "pool" | "node"> & GpuNodeState;

const MILLI_PER_CORE = 1000;
const GPUS_MAX = 64;
const SUFFIX_LENGTH = 8;
/** Such a cordon ends when the node reports again. */
const LOST = "It does not report at present.";

/**
 * What is to change of the nodes so that they are what they report: GPUs of a known model without a problem are
 * offered. A node that does not report is cordoned; one without pods that was removed, has moved to another
 * region or has not reported for 10 minutes is withdrawn. The number of a device never changes while its node is not
 * withdrawn, and no GPU is on two nodes.
 */
export function decideGpuNodes(
  reports: readonly ReportedGpuNode[],
  stored: readonly StoredGpuNode[],
  now: Date,
): GpuNodeChange[] {
  const byId = new Map(reports.map((reported) => [reported.nodeId, reported]));
  const nodes = stored.map((node) => (isOver(node, byId.get(node.nodeId)) ? withdrawn(node, now) : node));
  const after = new Map(nodes.map((node) => [keyOf(node), node]));
  for (const node of nodes) if (node.gpus > 0) after.set(keyOf(node), updated(node, byId.get(node.nodeId), now));
  for (const reported of reports) {
    for (const [pool, uuids] of reported.isFresh ? offeredBy(reported) : []) {
      const node = nodeFor(reported, pool, [...after.values()]);
      const taken = new Set([...after.values()].filter((one) => one.gpus > 0).flatMap((one) => one.gpuUuids));
      const added = withGpus(
        node,
        reported,
        uuids.filter((uuid) => !taken.has(uuid)),
      );
      if (added.gpus > 0) after.set(keyOf(added), added);
    }
  }
  const before = new Map(stored.map((node) => [keyOf(node), node]));
  return [...after.values()]
    .filter((node) => !isSame(node, before.get(keyOf(node))))
    .map(({ held: _held, ...node }) => node);
}

const keyOf = ({ pool, node }: Pick<StoredGpuNode, "pool" | "node">): string => `${pool} ${node}`;

/** The GPUs of a node that pods may have, by pool, in the order of their indexes. */
function offeredBy({ gpus: report }: ReportedGpuNode): Map<string, string[]> {
  const byPool = new Map<string, string[]>();
  for (const { uuid, name, problem } of [...(report?.gpus ?? [])].sort((a, b) => a.index - b.index)) {
    const model = gpuModelOf(name);
    if (!report || model === undefined || problem !== null) continue;
    const pool = poolOf(report.region, model, "live");
    byPool.set(pool, [...(byPool.get(pool) ?? []), uuid]);
  }
  return byPool;
}

function isOver({ held, pool, cordonSource }: StoredGpuNode, reported: ReportedGpuNode | undefined): boolean {
  if (held > 0) return false;
  if (!reported?.gpus) return true;
  if (reported.isFresh) return !pool.startsWith(`${reported.gpus.region}/`);
  return reported.isGone && cordonSource !== "operator";
}

const withdrawn = (node: StoredGpuNode, now: Date): StoredGpuNode => ({
  ...node,
  gpus: 0,
  gpuUuids: [],
  withheld: [],
  ...(node.gpus === 0 ? {} : { cordonedAt: now, cordonReason: LOST, cordonSource: "health" as const }),
});

function updated(node: StoredGpuNode, reported: ReportedGpuNode | undefined, now: Date): StoredGpuNode {
  if (!reported?.isFresh || !reported.gpus) {
    const isOpen = node.cordonedAt === null;
    return isOpen ? { ...node, cordonedAt: now, cordonReason: LOST, cordonSource: "health" } : node;
  }
  const offered = new Set(offeredBy(reported).get(node.pool));
  return {
    ...opened(node),
    ...sizeOf(reported),
    withheld: node.gpuUuids.flatMap((uuid, device) => (offered.has(uuid) ? [] : device)),
  };
}

/** Operators, health events and upgrades end their own cordons. */
const opened = (node: StoredGpuNode): StoredGpuNode =>
  node.cordonSource === "health" && node.cordonReason === LOST
    ? { ...node, cordonedAt: null, cordonReason: null, cordonSource: null }
    : node;

const sizeOf = ({ gpus, memoryMb }: ReportedGpuNode) => ({
  cpuMilli: (gpus?.cpu ?? 0) * MILLI_PER_CORE,
  memoryMib: memoryMb,
});

/** The node of a report in a pool, or a new one, or a withdrawn one of the same name. */
function nodeFor(reported: ReportedGpuNode, pool: string, nodes: readonly StoredGpuNode[]): StoredGpuNode {
  const { nodeId, gpus: report } = reported;
  const others = nodes.filter((one) => one.pool === pool);
  const own = others.find((one) => one.nodeId === nodeId);
  if (own) return own;
  const name = report?.name ?? nodeId;
  const isTaken = others.some(({ node, gpus }) => node === name && gpus > 0);
  return {
    pool,
    node: isTaken ? `${name}-${nodeId.slice(0, SUFFIX_LENGTH)}` : name,
    nodeId,
    gpus: 0,
    held: 0,
    cpuMilli: 0,
    memoryMib: 0,
    gpuUuids: [],
    withheld: [],
    cordonedAt: null,
    cordonReason: null,
    cordonSource: null,
  };
}

function withGpus(node: StoredGpuNode, reported: ReportedGpuNode, uuids: readonly string[]): StoredGpuNode {
  if (uuids.length === 0) return node;
  const gpuUuids = [...node.gpuUuids, ...uuids].slice(0, GPUS_MAX);
  return { ...opened(node), ...sizeOf(reported), nodeId: reported.nodeId, gpuUuids, gpus: gpuUuids.length };
}

const isSame = (after: StoredGpuNode, before: StoredGpuNode | undefined): boolean =>
  before !== undefined &&
  before.nodeId === after.nodeId &&
  before.gpus === after.gpus &&
  before.cpuMilli === after.cpuMilli &&
  before.memoryMib === after.memoryMib &&
  before.gpuUuids.join() === after.gpuUuids.join() &&
  before.withheld.join() === after.withheld.join() &&
  before.cordonedAt?.getTime() === after.cordonedAt?.getTime() &&
  before.cordonReason === after.cordonReason;
