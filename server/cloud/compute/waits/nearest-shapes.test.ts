import { describe, expect, it } from "vitest";
import type { NodeRow } from "../pools/pools.sql";
import { freeNodes } from "./free-nodes";
import { nearestShapes, type PodShape, type PoolRoom } from "./nearest-shapes";

const GIB = 1024;
const wanted: PodShape = { gpu: "h100", gpu_count: 4, region: "use", cpu: 16, memory_mb: 64 * GIB };
const NODE = { nodeMemoryMb: 1000 * GIB };

/** A pool whose nodes have so many free devices, cores and GiB of memory. */
const pool = (region: string, ...nodes: [gpus: number, cores: number, gib: number][]): PoolRoom => ({
  region,
  gpusMax: Number.POSITIVE_INFINITY,
  nodes: nodes.map(([gpus, cores, gib], i) => ({
    node: `n${i}`,
    devices: Array.from({ length: gpus }, (_, device) => device),
    cpuMilli: cores * 1000,
    memoryMib: gib * GIB,
  })),
});

describe("the nearest shapes", () => {
  it("are the same in other regions, then fewer GPUs in the pool", () => {
    const own = pool("use", [3, 100, 500], [1, 100, 500]);
    const others = [pool("apac", [3, 100, 500]), pool("euw", [8, 100, 500])];
    expect(nearestShapes(wanted, { own, others, ...NODE })).toEqual([
      { ...wanted, region: "euw", note: "The same in euw instead of use" },
      { ...wanted, gpu_count: 3, note: "The same with 3 of 4 GPUs" },
    ]);
  });

  it("have fewer cores or less memory if these are missing beside the GPUs", () => {
    const own = pool("use", [4, 8, 500], [8, 100, 10], [2, 100, 500]);
    expect(nearestShapes(wanted, { own, others: [], ...NODE })).toEqual([
      { ...wanted, cpu: 8, note: "The same with 8 of 16 cores" },
      { ...wanted, gpu_count: 2, note: "The same with 2 of 4 GPUs" },
    ]);
  });

  it("never have more GPUs than quotas and reservations leave, in each region by itself", () => {
    const own = { ...pool("use", [8, 100, 500]), gpusMax: 2 };
    const others = [
      { ...pool("apac", [8, 100, 500]), gpusMax: 3 },
      { ...pool("euw", [8, 100, 500]), gpusMax: 4 },
    ];
    const shapes = nearestShapes(wanted, { own, others, ...NODE });
    expect(shapes.map(({ region, gpu_count }) => [region, gpu_count])).toEqual([
      ["euw", 4],
      ["use", 2],
    ]);
    expect(nearestShapes(wanted, { own: { ...own, gpusMax: 0 }, others: [], ...NODE })).toEqual([]);
  });

  it("never have more memory than a node that runs pods has free", () => {
    const [own, others] = [pool("use", [8, 100, 500]), [pool("euw", [8, 100, 500])]];
    const shapes = nearestShapes(wanted, { own, others, nodeMemoryMb: 10 * GIB });
    expect(shapes.map(({ region, memory_mb }) => [region, memory_mb])).toEqual([
      ["use", 10 * GIB],
      ["euw", 10 * GIB],
      ["use", 10 * GIB],
    ]);
    expect(nearestShapes(wanted, { own, others, nodeMemoryMb: 63 })).toEqual([]);
    const cpuOnly = { ...wanted, gpu: null, gpu_count: 0, region: null };
    expect(nearestShapes(cpuOnly, { others: [], nodeMemoryMb: 10 * GIB })).toEqual([
      { ...cpuOnly, memory_mb: 10 * GIB, note: "The same with 10240 of 65536 MiB of memory" },
    ]);
  });

  it("of a shape that fits are none", () => {
    const [own, others] = [pool("use", [8, 100, 500]), [pool("euw", [8, 100, 500])]];
    expect(nearestShapes(wanted, { own, others, ...NODE })).toEqual([]);
  });
});

describe("what is free on nodes", () => {
  const row: NodeRow = {
    node: "n",
    gpus: 4,
    cpuMilli: 10_000,
    memoryMib: 1000,
    domain: null,
    version: 1n,
    isCordoned: false,
    isUpgrading: false,
    model: "h100",
    heldDevices: [0],
    heldCpuMilli: 4000,
    heldMemoryMib: 100,
  };
  const kept = [{ runId: "r", node: "n", devices: [1], cpuMilli: 7000, memoryMib: 200 }];

  it("is what neither runs hold, nor is kept for others, nor reserved", () => {
    expect(freeNodes([row], { kept, isUsable: (_, device) => device !== 2 })).toEqual([
      { node: "n", devices: [3], cpuMilli: 0, memoryMib: 700 },
    ]);
  });

  it("is nothing on a node that accepts no pods", () => {
    expect(freeNodes([{ ...row, isCordoned: true }], { kept: [], isUsable: () => true })).toEqual([]);
  });
});
