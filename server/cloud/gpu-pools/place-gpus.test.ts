import { describe, expect, it } from "vitest";
import { FLEET, GPU_MODELS, nodesOf } from "./fleet";
import { placeGpus } from "./place-gpus";

const nodes = [
  { name: "a", gpus: 8 },
  { name: "b", gpus: 8 },
  { name: "c", gpus: 4 },
];
const used = (counts: Record<string, number[]>) =>
  new Map(Object.entries(counts).map(([node, devices]) => [node, new Set(devices)]));

describe("GPUs are placed", () => {
  it("on the fullest node that has enough, with the lowest free devices", () => {
    const state = { nodes, used: used({ a: [0, 2, 3], b: [0, 1, 2, 3, 5] }) };
    expect(placeGpus(state, 2)).toEqual({ node: "b", devices: [4, 6] });
    expect(placeGpus(state, 4)).toEqual({ node: "c", devices: [0, 1, 2, 3] });
    expect(placeGpus(state, 5)).toEqual({ node: "a", devices: [1, 4, 5, 6, 7] });
  });

  it("on the first of equal nodes", () => {
    expect(placeGpus({ nodes: nodes.slice(0, 2), used: used({}) }, 8)).toMatchObject({ node: "a" });
  });

  it("never across nodes, and the reason says how many are free and where", () => {
    const state = { nodes, used: used({ a: [0], b: [0, 1] }) };
    expect(placeGpus(state, 8)).toEqual({
      blocked: "No node of this pool has 8 free GPUs: 17 are free on 3 nodes, at most 7 on one.",
    });
  });

  it("nowhere when everything is in use", () => {
    const all = used({ a: [0, 1, 2, 3, 4, 5, 6, 7], b: [0, 1, 2, 3, 4, 5, 6, 7], c: [0, 1, 2, 3] });
    expect(placeGpus({ nodes, used: all }, 1)).toEqual({
      blocked: "All GPUs of the 3 nodes of this pool are in use.",
    });
  });

  it("until the pool is full, each device once", () => {
    const taken = new Map<string, Set<number>>();
    const counts = [1, 3, 2, 1, 4, 2, 1, 1, 3, 2];
    for (const count of counts) {
      const placed = placeGpus({ nodes, used: taken }, count);
      if ("blocked" in placed) throw new Error(placed.blocked);
      const before = taken.get(placed.node) ?? new Set();
      expect(placed.devices.filter((device) => before.has(device))).toEqual([]);
      taken.set(placed.node, new Set([...before, ...placed.devices]));
    }
    expect([...taken.values()].reduce((sum, devices) => sum + devices.size, 0)).toBe(20);
  });
});

describe("the fleet", () => {
  it("has NVL72 racks of 18 trays with 4 GPUs, and different names for all nodes of a pool", () => {
    for (const model of GPU_MODELS) {
      const names = nodesOf(model).map(({ name }) => name);
      expect(new Set(names).size).toBe(FLEET[model].nodes);
    }
    expect(nodesOf("gb200").reduce((sum, { gpus }) => sum + gpus, 0)).toBe(72);
    expect(nodesOf("gb200").at(-1)).toEqual({ name: "gb200-rack1-tray18", gpus: 4 });
  });
});
