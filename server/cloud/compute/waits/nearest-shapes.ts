import { MEMORY_MB_MIN } from "../pod-requests/pod-fields";
import type { FreeNode } from "./free-nodes";

const SHAPES_MAX = 5;
const MILLI_PER_CORE = 1000;

export interface PodShape {
  gpu: string | null;
  gpu_count: number;
  region: string | null;
  cpu: number;
  memory_mb: number;
}

export interface NearShape extends PodShape {
  /** How it differs from what was asked for. */
  note: string;
}

/** What a pod can have of a pool now. */
export interface PoolRoom {
  region: string;
  nodes: readonly FreeNode[];
  /** The most GPUs that quotas and reservations leave it; Infinity: any number. */
  gpusMax: number;
}

interface Room {
  /** The pool of its own region, and those of others; none without GPUs. */
  own?: PoolRoom | undefined;
  others: readonly PoolRoom[];
  /** The most free memory of a node that runs pods, in MiB. */
  nodeMemoryMb: number;
}

/**
 * The shapes nearest to one that does not fit, which would be placed now: the same in other regions, then less memory or
 * fewer cores with the same GPUs, then fewer GPUs. At most 5; a shape that fits as it is has none.
 */
export function nearestShapes(wanted: PodShape, { own, others, nodeMemoryMb }: Room): NearShape[] {
  const memory = Math.min(wanted.memory_mb, nodeMemoryMb);
  if (memory < MEMORY_MB_MIN) return [];
  const asked = { ...wanted, memory_mb: memory };
  if (own && memory === wanted.memory_mb && fits(wanted, own)) return [];
  const shapes = own ? ofPools(asked, { own, others, isSmaller: memory < wanted.memory_mb }) : [asked];
  return shapes
    .filter((shape) => !isSame(shape, wanted))
    .slice(0, SHAPES_MAX)
    .map((shape) => ({ ...shape, note: noteOf(shape, wanted) }));
}

interface Pools {
  own: PoolRoom;
  others: readonly PoolRoom[];
  /** Its memory is less than the requested amount, in every region. */
  isSmaller: boolean;
}

function ofPools(asked: PodShape, { own, others, isSmaller }: Pools): PodShape[] {
  const here = withLess(asked, own);
  const there = elsewhere(asked, others);
  return [...(isSmaller ? [...here, ...there] : [...there, ...here]), ...withFewerGpus(asked, own)];
}

const elsewhere = (asked: PodShape, pools: readonly PoolRoom[]): PodShape[] =>
  pools.filter((pool) => fits(asked, pool)).map(({ region }) => ({ ...asked, region }));

/** The node with the GPUs that leaves the most of the cores and the memory that were asked for. */
function withLess(asked: PodShape, { nodes, gpusMax }: PoolRoom): PodShape[] {
  if (asked.gpu_count > gpusMax) return [];
  const shapes = nodes
    .filter(({ devices }) => devices.length >= asked.gpu_count)
    .map(({ cpuMilli, memoryMib }) => ({
      ...asked,
      cpu: Math.min(asked.cpu, Math.floor(cpuMilli / MILLI_PER_CORE)),
      memory_mb: Math.min(asked.memory_mb, memoryMib),
    }))
    .filter(({ cpu, memory_mb }) => cpu >= 1 && memory_mb >= MEMORY_MB_MIN);
  return best(shapes, ({ cpu, memory_mb }) => (cpu / asked.cpu) * (memory_mb / asked.memory_mb));
}

function withFewerGpus(asked: PodShape, { nodes, gpusMax }: PoolRoom): PodShape[] {
  const most = Math.min(asked.gpu_count - 1, gpusMax);
  const shapes = nodes
    .filter((node) => hasCoresAndMemory(asked, node))
    .map(({ devices }) => ({ ...asked, gpu_count: Math.min(most, devices.length) }))
    .filter(({ gpu_count }) => gpu_count >= 1);
  return best(shapes, ({ gpu_count }) => gpu_count);
}

/** Whether a shape would be placed on a pool now. */
const fits = (shape: PodShape, { nodes, gpusMax }: PoolRoom): boolean =>
  shape.gpu_count <= gpusMax &&
  nodes.some((node) => node.devices.length >= shape.gpu_count && hasCoresAndMemory(shape, node));

const hasCoresAndMemory = ({ cpu, memory_mb: memory }: PodShape, { cpuMilli, memoryMib }: FreeNode): boolean =>
  cpuMilli >= cpu * MILLI_PER_CORE && memoryMib >= memory;

function best(shapes: readonly PodShape[], worthOf: (shape: PodShape) => number): PodShape[] {
  const [first] = [...shapes].sort((a, b) => worthOf(b) - worthOf(a));
  return first ? [first] : [];
}

const isSame = (a: PodShape, b: PodShape): boolean =>
  a.gpu_count === b.gpu_count && a.region === b.region && a.cpu === b.cpu && a.memory_mb === b.memory_mb;

function noteOf(shape: PodShape, wanted: PodShape): string {
  const parts = [
    shape.region !== wanted.region && `in ${shape.region} instead of ${wanted.region}`,
    shape.gpu_count !== wanted.gpu_count && `with ${shape.gpu_count} of ${wanted.gpu_count} GPUs`,
    shape.cpu !== wanted.cpu && `with ${shape.cpu} of ${wanted.cpu} cores`,
    shape.memory_mb !== wanted.memory_mb && `with ${shape.memory_mb} of ${wanted.memory_mb} MiB of memory`,
  ];
  return `The same ${parts.filter(Boolean).join(", ")}`;
}
